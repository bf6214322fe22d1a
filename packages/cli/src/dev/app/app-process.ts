import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { inBrackets } from '@toolwright/json';
import type { Manifest } from '@toolwright/manifest';
import type {
  ConsoleQuestion,
  FromApp,
  FromInside,
  ReadOutcome,
  ServiceName,
  ServicePlace,
  SwapOutcome,
  ToApp,
} from '../messages.js';
import type { HeldPorts } from './held-ports.js';

/** How many milliseconds an app may take to stop before it is killed. */
const GRACE_MS = 5_000;

/** If a server was created and does not listen after this many milliseconds, it uses another transport. */
const SETTLED_MS = 250;

export interface AppCommand {
  /** The absolute path of the compiled file. */
  entry: string;
  args: readonly string[];
  /** Folder of the project. */
  directory: string;
  cwd: string;
  /** What a console that watches the app adds to its environment. `undefined`: nobody watches it. */
  watched: NodeJS.ProcessEnv | undefined;
  /** What else is added to its environment. */
  further?: NodeJS.ProcessEnv | undefined;
  /** Where a debugger attaches; true: where Node.js says. */
  inspect?: string | true | undefined;
}

export interface AppEvents {
  /** The app listens on a port. */
  listening(url: string): void;
  /** The app has created a server. */
  serving(name: string): void;
  /** Some time has passed since the app created a server. */
  settled(): void;
  /** The answer to `findUnserved`. */
  unserved(keys: readonly string[]): void;
  /** A package in the app is about to read these folders. */
  follow(folders: readonly string[]): void;
  /** The part of the console in the app says something. */
  inside(message: FromInside): void;
}

/** One run of the user's app, in its own process. */
export class AppProcess {
  /** Resolves to true when the app listens or serves, to false if it ended before. */
  readonly ready: Promise<boolean>;
  /** Resolves to the exit code; null after a signal. */
  readonly exited: Promise<number | null>;
  /** Why the app has ended, as far as it could say so. */
  failure: string | undefined;
  private readonly child: ChildProcess;
  private readonly bases = new Map<number, string>();
  private swapped: ((outcome: SwapOutcome) => void) | undefined;
  private shown: ((all: boolean) => void) | undefined;
  private wasRead: ((outcome: ReadOutcome) => void) | undefined;
  private isReady: (ready: boolean) => void = () => undefined;

  constructor(
    readonly command: AppCommand,
    private readonly ports: HeldPorts,
    private readonly events: AppEvents,
  ) {
    this.child = start(command);
    this.ready = new Promise((resolve) => (this.isReady = resolve));
    this.exited = endOf(this.child);
    void this.exited.then(() => this.isReady(false));
    this.child.once('error', () => this.isReady(false));
    this.child.on('message', (message: FromApp) => void this.hear(message));
  }

  /** The standard input and output of the app. */
  get streams() {
    return { input: this.child.stdin!, output: this.child.stdout! };
  }

  /** Whether the app has asked for a port. */
  get listens(): boolean {
    return this.bases.size > 0;
  }

  giveManifest(manifest: Manifest): void {
    this.tell({ tell: 'manifest', directory: this.command.directory, manifest });
  }

  /** Asks the app to load modules again. An app that has ended, before or meanwhile, cannot. */
  swap(modules: string[], services: ServicePlace[]): Promise<SwapOutcome> {
    return new Promise((resolve) => {
      this.swapped = resolve;
      void this.exited.then(() => resolve({ is: 'impossible', message: 'the app has ended' }));
      this.tell({ tell: 'swap', modules, services });
    });
  }

  /** Asks the app to serve these pages of views, text by name. @returns whether it serves all of them */
  show(pages: Readonly<Record<string, string>>): Promise<boolean> {
    return new Promise((resolve) => {
      this.shown = resolve;
      void this.exited.then(() => resolve(false));
      this.tell({ tell: 'pages', directory: this.command.directory, pages });
    });
  }

  /** Asks packages to read folders again. */
  readAgain(folders: readonly string[]): Promise<ReadOutcome> {
    return new Promise((resolve) => {
      this.wasRead = resolve;
      void this.exited.then(() => resolve({ is: 'ended' }));
      this.tell({ tell: 'readAgain', folders });
    });
  }

  /** Asks which services no server lists. The answer is an event. */
  findUnserved(services: ServiceName[]): void {
    this.tell({ tell: 'findUnserved', services });
  }

  /** Asks the part of the console in the app. The answer is an event. */
  ask(question: ConsoleQuestion): void {
    this.tell(question);
  }

  /** Asks the app to end, as a process supervisor does, and kills it if that takes too long. */
  async stop(graceMs = GRACE_MS, platform: NodeJS.Platform = process.platform): Promise<void> {
    this.child.stdin?.end();
    if (platform === 'win32') this.tell({ tell: 'end' });
    else this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  private async hear(message: FromApp): Promise<void> {
    switch (message.tell) {
      case 'listen':
        return this.openPort(message);
      case 'listening':
        this.ports.lead(message.listener, message.port);
        this.isReady(true);
        return this.events.listening(this.bases.get(message.listener)!);
      case 'closed':
        return this.ports.release(message.listener);
      case 'serving':
        // An app over stdio never listens.
        setTimeout(() => this.settle(), SETTLED_MS).unref();
        return this.events.serving(message.name);
      case 'unserved':
        return this.events.unserved(message.keys);
      case 'swapped':
        return this.swapped?.(message.outcome);
      case 'shown':
        return this.shown?.(message.all);
      case 'follow':
        return this.events.follow(message.folders);
      case 'wasRead':
        return this.wasRead?.(message.outcome);
      case 'failed':
        return void (this.failure = message.message);
      case 'failure':
      case 'servers':
      case 'happened':
      case 'answered':
        return this.events.inside(message);
    }
  }

  private settle(): void {
    this.isReady(true);
    this.events.settled();
  }

  private async openPort({ listener, port, host }: Extract<FromApp, { tell: 'listen' }>): Promise<void> {
    try {
      const address = await this.ports.take(listener, port, host);
      this.bases.set(listener, baseUrl(host, address.port));
      this.tell({ tell: 'held', listener, address });
    } catch (error) {
      const { code = 'EADDRINUSE', message } = error as NodeJS.ErrnoException;
      this.tell({ tell: 'refused', listener, code, message });
    }
  }

  private tell(message: ToApp): void {
    // An ending app has closed the channel. Its exit is reported separately.
    if (this.child.connected) this.child.send(message, () => undefined);
  }
}

function start({ entry, args, cwd, watched, further, inspect }: AppCommand): ChildProcess {
  const preload = join(__dirname, '../child/preload.js');
  const debug = inspect === undefined ? [] : [inspect === true ? '--inspect' : `--inspect=${inspect}`];
  return spawn(process.execPath, [...debug, '--enable-source-maps', '--require', preload, entry, ...args], {
    cwd,
    // On a terminal the app's own output stays as it is, including colours.
    stdio: ['pipe', process.stdin.isTTY && process.stdout.isTTY ? 'inherit' : 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      ...watched,
      ...further,
      TOOLWRIGHT_DEV: String(process.pid),
      TOOLWRIGHT_DEV_CONSOLE: watched ? 'on' : undefined,
    },
  });
}

/** Resolves to the exit code when everything has been read that the process said last. */
function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (child.connected) child.once('disconnect', () => resolve(code));
      else resolve(code);
    });
  });
}

/** The URL that works on this machine. */
function baseUrl(host: string | undefined, port: number): string {
  const everywhere = host === undefined || host === '0.0.0.0' || host === '::' || host === 'localhost';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? inBrackets(host) : host;
  return `http://${name}:${port}`;
}
