import type { ConsoleEvent, ServerSummary } from '@toolwright/console';
import type { Manifest } from '@toolwright/manifest';

/** The address of a listener of the app. */
export interface Address {
  address: string;
  family: string;
  port: number;
}

/** A service class, and the compiled module that exports it. */
export interface ServicePlace {
  /** Absolute path. */
  module: string;
  export: string;
}

/** A service class, which may not be exported. */
export interface ServiceName {
  /** The class key in the manifest. */
  key: string;
  /** The name without namespaces. */
  name: string;
  place: ServicePlace | undefined;
}

/** Messages from `dev` to the app's process. */
export type ToApp =
  /** Sent first, and with every swap: the manifest of the project. */
  | { tell: 'manifest'; directory: string; manifest: Manifest }
  /** Load these modules again, and replace the running services with what they export. */
  | { tell: 'swap'; modules: string[]; services: ServicePlace[] }
  /** Serve these pages of views, text by name, in place of older ones. */
  | { tell: 'pages'; directory: string; pages: Readonly<Record<string, string>> }
  /** Something in these folders has changed: packages that have read them read them again. */
  | { tell: 'readAgain'; folders: readonly string[] }
  /** Which of these services does no server list? */
  | { tell: 'findUnserved'; services: ServiceName[] }
  /** The answer to `listen`. */
  | { tell: 'held'; listener: number; address: Address }
  | { tell: 'refused'; listener: number; code: string; message: string }
  /** End, as after SIGTERM. Windows cannot send that signal: it ends a process at once. */
  | { tell: 'end' }
  | ConsoleQuestion;

/** Messages from the app's process to `dev`. */
export type FromApp =
  /** An HTTP server of the app wants to listen. `dev` listens in its place, and forwards requests. */
  | { tell: 'listen'; listener: number; port: number; host: string | undefined }
  /** The HTTP server listens on its own port of the loopback. */
  | { tell: 'listening'; listener: number; port: number }
  | { tell: 'closed'; listener: number }
  /** The app created a server. */
  | { tell: 'serving'; name: string }
  | { tell: 'swapped'; outcome: SwapOutcome }
  /** The answer to `pages`: whether the app serves all of them. */
  | { tell: 'shown'; all: boolean }
  /** A package is about to read these folders. The paths are absolute. */
  | { tell: 'follow'; folders: readonly string[] }
  /** The answer to `readAgain`. */
  | { tell: 'wasRead'; outcome: ReadOutcome }
  /** The app is about to end, for this reason. */
  | { tell: 'failed'; message: string }
  /** The answer to `findUnserved`. Without a server, the list is empty. */
  | { tell: 'unserved'; keys: string[] }
  | FromInside;

/** A question of the console. */
export interface ConsoleQuestion {
  tell: 'ask';
  question: number;
  method: string;
  params: object;
}

/** What the part of the console that runs in the app says. */
export type FromInside =
  /** A call has failed with an error whose text its caller does not see: its text has names, messages and stacks. */
  | { tell: 'failure'; reference: string; text: string }
  /** All servers of the app, whenever one was created. */
  | { tell: 'servers'; servers: readonly ServerSummary[] }
  | { tell: 'happened'; event: ConsoleEvent }
  | { tell: 'answered'; question: number; answer: ConsoleAnswer };

/** `refused`: the question was wrong, and the message is for the person. `failed`: something is broken. */
export type ConsoleAnswer =
  { is: 'result'; result: unknown } | { is: 'refused'; message: string } | { is: 'failed'; message: string };

/**
 * `replaced`: new requests use the new version. `failed`: the old version continues, for the given reason.
 * `impossible`: something that runs cannot be replaced without a restart.
 */
export type SwapOutcome =
  { is: 'replaced' } | { is: 'failed'; message: string } | { is: 'impossible'; message: string };

/** `failed`: what was read before is served on, for the given reason. `ended`: nothing runs that could read. */
export type ReadOutcome = { is: 'read' } | { is: 'failed'; message: string } | { is: 'ended' };

type Listener<Kind extends ToApp['tell']> = (message: Extract<ToApp, { tell: Kind }>) => void;

/** The app's end of the channel to `dev`. It does not keep the app running, and the app ends if `dev` ends. */
export class DevLink {
  private expected = 0;
  private readonly listeners = new Map<string, ((message: never) => void)[]>();

  constructor() {
    process.on('message', (message: ToApp) => {
      for (const listener of this.listeners.get(message.tell) ?? []) listener(message as never);
    });
    // The app also ends if `dev` was killed, so that nothing keeps listening.
    process.on('disconnect', () => process.exit());
    process.channel?.unref();
  }

  /** Keeps the process running until the returned function is called, because an answer will come. */
  expectAnswer(): () => void {
    if (this.expected++ === 0) process.channel?.ref();
    return () => {
      if (--this.expected === 0) process.channel?.unref();
    };
  }

  on<Kind extends ToApp['tell']>(kind: Kind, listener: Listener<Kind>): void {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }

  tell(message: FromApp): void {
    if (process.connected) process.send!(message);
  }
}
