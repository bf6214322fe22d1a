import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { operationKinds } from '@toolwright/ground/base/operation-kinds';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import { oneOf } from '@toolwright/ground/base/options/rules';
import type { Era, Principal, Revision } from '@toolwright/ground/base/request-context';
import { addressOf } from '@toolwright/ground/call/operation/keys';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import type { RefusedRequest } from '@toolwright/ground/call/security/refusal-log';
import type { ClaimStore } from '@toolwright/ground/ports/claim-store';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { StoreHealth } from '@toolwright/ground/ports/server-stores';
import type { QueueLoad } from '@toolwright/ground/ports/task-store';
import type { MaybePromise } from '@toolwright/json';
import type { RpcNotification, RpcRequest, RpcResponse } from '@toolwright/wire/json-rpc';
import type { Reply } from '@toolwright/wire/reply';
import type { ResponseChannel, Peer } from '@toolwright/wire/response-channel';
import type { ServerInfo, Features } from '@toolwright/wire/revision-record';
import type { InboundContext, ClassifiedBody, StatelessRequest } from '../requests/read.js';
import type { Connection } from '../sessions/connection.js';
import type { OpenedSession } from '../sessions/open-session.js';
import type { StatefulRequest } from '../sessions/serve-stateful.js';
import type { Session } from '../sessions/session.js';

/** How a server serves the revisions that start with a handshake. */
export interface StatefulService {
  /** How many streams one tenant may have open, if that is limited. */
  readonly maxPerTenant?: number | undefined;
  /** False: each request is handled on its own, and the server cannot ask the client anything. */
  readonly hasSessions: boolean;
  /**
   * After how many milliseconds the client of a long call is sent away, to come back for the answer later.
   */
  readonly pollAfterMs: number | undefined;
}

/** What a server has open at the moment, for monitoring. */
export interface ProtocolLoad {
  readonly sessions: number;
  /** The open `subscriptions/listen` streams. */
  readonly subscriptions: number;
  /** The requests that are being answered. */
  readonly requests: number;
}

/**
 * The protocol of one server, as transports see it. A transport that has one channel per client, such as
 * stdio, calls `connect` and hands over each message that arrives. A transport whose messages arrive
 * separately, such as HTTP, calls `read` with a body. It then calls the method for that kind of body.
 */
export interface Protocol {
  /** How the server introduces itself. */
  readonly info: ServerInfo;
  /** True when endpoints must not introduce the server to people in a browser (strict security). */
  readonly refusesLanding: boolean;
  /** True when the next request of a client may reach another process, wherever it was before. */
  readonly anyProcess: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What was used and must not be used again, over all processes. */
  readonly claims: ClaimStore;
  /** True as soon as `drain` was called: every new request is then refused with that reason. */
  readonly draining: boolean;
  /** `undefined` when only stateless revisions are served. */
  readonly stateful: StatefulService | undefined;
  /** How many calls were answered at their deadline, or cancelled, while their work runs on. */
  readonly abandoned: number;
  readonly load: ProtocolLoad;
  /** Whether the stores answer that this process shares with others. */
  readonly stores: readonly StoreHealth[];
  /**
   * How many tasks wait and run on the task queue, over all processes; `undefined` without a queue. The promise
   * resolves to `undefined` while the queue does not answer. It asks the queue at most once a second.
   */
  readonly taskLoad: Promise<QueueLoad | undefined> | undefined;
  /**
   * The era of a version. A version later than all that are served counts as stateless, because all future
   * versions are.
   */
  eraOf(version: string): Era | undefined;
  /** What messages of a revision can express. */
  featuresOf(revision: Revision): Features;
  /** The reason why this principal cannot be served; `undefined` when there is none. */
  findPrincipalProblem(principal: Principal | undefined): ConfigurationProblem | undefined;
  /**
   * Is called by each transport when it begins to serve. It logs that the server offers nothing, if nobody meant
   * that. For a transport that knows no callers, it logs that nobody can use operations that need scopes, if there are any.
   *
   * @param fix what to set, so that the transport knows its callers; `undefined` if it does
   */
  warnAtStart(fix: string | undefined): void;
  /**
   * Finds out what a parsed body is and which method takes it. If the body must be refused, the refusal is
   * recorded and its answer is returned.
   *
   * @param arrival the sender; for transports with headers also a way to read them: they are compared with
   *   the message
   */
  read(body: unknown, arrival: InboundContext): ClassifiedBody;
  /** Answers a stateless request. Returns `undefined` when the request was cancelled. */
  serveStateless(request: StatelessRequest, channel: ResponseChannel): MaybePromise<Reply | undefined>;
  /** Answers a stateful request in its session. Returns `undefined` when the request was cancelled. */
  serveStateful(request: StatefulRequest, channel: ResponseChannel): MaybePromise<Reply | undefined>;
  /** Answers `initialize`. Opens a session, if sessions are turned on. */
  openSession(request: RpcRequest, peer: Peer): OpenedSession;
  /** The session with this id, if this process has it and it belongs to this principal. */
  findSession(id: string, principal: Principal | undefined): Session | undefined;
  /**
   * Resumes a session that `findSession` does not know: another process may have opened it, or an earlier one.
   * This needs the option `secrets`.
   *
   * @returns `undefined` when there is no such session for this caller; a reply when it cannot be resumed now
   */
  resumeSession(id: string, peer: Peer): MaybePromise<Session | Reply | undefined>;
  /** Makes a session for a single request, for servers without sessions. */
  detachedSession(revision: Revision, principal: Principal | undefined): Session;
  /** Ends a session, because its client no longer needs it. No process serves it afterwards. */
  endSession(id: string): Promise<void>;
  /** Takes a message that needs no answer. */
  hear(session: Session, message: RpcNotification | RpcResponse): void;
  /**
   * Opens a channel for one client. Its first message decides the era.
   *
   * @param isBehind says whether much of what was sent waits for the client: reports of progress are joined then
   * @throws {ConfigurationError} when this principal cannot be served
   */
  connect(peer: Peer, send: (text: string) => void, isBehind?: () => boolean): Connection;
  /** Records that a whole request was refused, whatever it asked for. */
  noteRefusal(refusal: Omit<RefusedRequest, 'operation' | 'name'>): void;
  /** Counts a request that no message could be read from. It has no record, because it calls nothing. */
  countUnreadable(status: number): void;
  /** Logs a failure of this process that no code has handled, and which operation it may come from. */
  noteUnhandled(failure: UnhandledFailure): void;
  /**
   * Begins to work on the task queue.
   *
   * @throws {ConfigurationError} when there is no queue, or when this process works on it already
   */
  workOnTasks(concurrency: number): Promise<void>;
  /**
   * Stops the server without losing anything. New requests are refused. Listen streams get their final
   * result. Running calls, tasks and what packages run finish, and their records are stored. Then the process may exit.
   * Abandoned work gets one more second: work that reacts to its signal ends in less, and for other work
   * nobody knows whether it ever ends. Work that is still running is logged, by operation.
   *
   * @param grace how long running calls may take; default 30 seconds; 0: not at all; `Infinity`: until they end
   * @returns false when calls or tasks were still running after `grace`, or when abandoned work still runs;
   *   such tasks are stopped
   * @throws the error of the audit log, when it cannot store its records
   */
  drain(grace?: Duration): Promise<boolean>;
}

/**
 * What happens when a promise is rejected and nobody awaits it, or when a timer or an event listener throws. Such a failure
 * belongs to no call, and Node.js would end the process, with the calls of all callers.
 *
 * - `drain`: it is logged, and the process stops as on SIGTERM: running calls are answered. It exits with 1.
 * - `keep`: a rejected promise is logged, and the process goes on. After an exception the process still stops, because
 *   nobody knows what was left half done.
 * - `node`: Node.js decides.
 */
export type WhenUnhandled = 'drain' | 'keep' | 'node';

export const whenUnhandledOption = { ...oneOf('drain', 'keep', 'node'), default: 'drain' } as const;

/** A failure that no code has handled. */
export interface UnhandledFailure {
  readonly error: unknown;
  /** False: a timer or an event listener has thrown it. */
  readonly isRejection: boolean;
  /** True when the process goes on. */
  readonly isKept: boolean;
}

/** Whether this process stops already because of such a failure. */
let isLeaving = false;

/**
 * Listens for failures that nobody handles. Node.js reports rejected promises as exceptions, unless the application listens
 * for `unhandledRejection` or has started Node.js with `--unhandled-rejections`. So what the application does wins.
 *
 * @param servers get each failure to log it
 * @returns a function that ends it
 */
export function watchUnhandled(
  when: WhenUnhandled,
  servers: readonly { noteUnhandled(failure: UnhandledFailure): void }[],
): () => void {
  if (when === 'node') return () => undefined;
  const hear = (error: unknown, origin: string) => {
    const isRejection = origin === 'unhandledRejection';
    const isKept = isRejection && when === 'keep';
    for (const server of servers) server.noteUnhandled({ error, isRejection, isKept });
    // The application may take a second signal for the wish to stop at once.
    if (isKept || isLeaving) return;
    isLeaving = true;
    process.exitCode = 1;
    // Everything that stops with the process hears it: other servers, the worker that tells its primary process, and the
    // application.
    process.emit('SIGTERM', 'SIGTERM');
  };
  process.on('uncaughtException', hear);
  return () => void process.off('uncaughtException', hear);
}

/**
 * The operations whose methods are in the stack of an error; if there are none, those of the classes in it. A stack has the
 * method that began the promise until the first `await` of the code behind it. After that it may have a private method of
 * the same class, or nothing of it. Remembering the operation of every promise would make all promises of the process
 * slower.
 */
export function operationsIn(error: unknown, registry: Registry): string[] {
  const frames = framesOf(error).map((frame) => frame.split('.'));
  if (frames.length === 0) return [];
  const methods = new Set(frames.map((names) => names.slice(-2).join('.')));
  const classes = new Set(frames.map((names) => names.at(-2)));
  const named = Object.values(operationKinds)
    .flatMap(({ collection }): readonly BoundOperation[] => registry[collection].everything())
    .flatMap((operation) => {
      const { entry } = operation;
      return entry ? [{ operation, method: entry.method, className: classNameIn(entry.key) }] : [];
    });
  const exact = named.filter(({ className, method }) => methods.has(`${className}.${method}`));
  const near = exact.length > 0 ? exact : named.filter(({ className }) => classes.has(className));
  return near.map(({ operation }) => addressOf(operation));
}

/** The functions in a stack. The message before them may repeat what a caller has sent, so it is left out. */
function framesOf(error: unknown): string[] {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return [];
  const { stack, message } = error;
  return stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .flatMap((line) => /^\s+at (?:async )?(\S+) /.exec(line)?.[1] ?? []);
}

/** The last name of `<source path>#<Qualified.Class>.<method>` before the method. */
function classNameIn(key: string): string | undefined {
  return key
    .slice(key.indexOf('#') + 1)
    .split(/\.|::/)
    .at(-2);
}
