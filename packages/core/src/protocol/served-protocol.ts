import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  ConfigurationError,
  type ConfigurationProblem,
} from '@toolwright/ground/base/errors/configuration-error';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import { parseDuration } from '@toolwright/ground/base/options/rules';
import type { Era, Principal, Revision } from '@toolwright/ground/base/request-context';
import type { PipelineOptions } from '@toolwright/ground/call/call-options';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import type { RefusedRequest } from '@toolwright/ground/call/security/refusal-log';
import type { BootContext } from '@toolwright/ground/ports/boot-context';
import type { ClaimStore } from '@toolwright/ground/ports/claim-store';
import { LONGEST_TIMER_MS, systemClock, type Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import type { StoreHealth } from '@toolwright/ground/ports/server-stores';
import type { QueueLoad } from '@toolwright/ground/ports/task-store';
import type { Listeners, MaybePromise } from '@toolwright/json';
import type { RpcNotification, RpcRequest, RpcResponse } from '@toolwright/wire/json-rpc';
import type { Reply } from '@toolwright/wire/reply';
import { ANSWER_PAUSE_MS, type Peer } from '@toolwright/wire/response-channel';
import type { ServerInfo } from '@toolwright/wire/revision-record';
import type { Features } from '@toolwright/wire/revision-record';
import type { OpenTelemetry } from '../observe/open-telemetry.js';
import type { BackgroundMethods } from '../tasks/background-methods.js';
import type { CarryingStore } from '../tasks/task-carrier.js';
import { findPrincipalProblem, storeHealth, type ProtocolHost } from '../requests/engine.js';
import type { ProtocolOptions, ProtocolSettings } from './protocol-options.js';
import type { MessageListeners, MessageWatch } from '../observe/message-watch.js';
import { noteRefusedRequest } from '../requests/refusals.js';
import { readMessages, type InboundContext, type ClassifiedBody } from '../requests/read.js';
import { hearNotification, serveStateful } from '../sessions/serve-stateful.js';
import { serveStateless } from '../requests/serve.js';
import { Connection } from '../sessions/connection.js';
import {
  openSession,
  resumeSession,
  type OpenedSession,
  type SessionEngine,
} from '../sessions/open-session.js';
import type { Session } from '../sessions/session.js';
import type { Tasks } from '../tasks/tasks.js';

import {
  type Protocol,
  type ProtocolLoad,
  type StatefulService,
  type UnhandledFailure,
  operationsIn,
} from './protocol.js';

/** How many milliseconds running calls get to finish. */
const DRAIN_GRACE_MS = 30_000;

const EMPTY = 'The server offers nothing so far: no tool, no resource and no prompt.';
const FILL =
  'List your classes in the option "services", or name their manifest in "manifest". If operations come later, write `services: []`.';

/** One server, as its protocol sees it. */
export interface ServerHost extends ProtocolHost {
  readonly options: PipelineOptions & ProtocolOptions & { readonly services?: readonly unknown[] };
  readonly settings: ProtocolSettings;
  readonly registry: Registry & {
    /** True when there is no operation of any kind, for any caller. */
    isEmpty(): boolean;
    /** What to say of operations that nobody can use over a transport that knows no callers. */
    describeUnusable(): { message: string; location?: string } | undefined;
  };
  /** The asynchronous context in which the server was created. */
  readonly boot: BootContext;
  /** The tasks of the stores, if they also hand out their work. */
  readonly queue: CarryingStore | undefined;
  /** The methods that packages run. */
  readonly background: BackgroundMethods;
  /** True when endpoints must not introduce the server to people in a browser. */
  readonly refusesLanding: boolean;
  /** Who wants to know of messages. */
  readonly messageListeners: MessageListeners;
  /** Who wants to know of sessions of the older era that have ended. */
  readonly sessionEnds: Listeners<{ readonly sessionId: string }>;
}

/** All parts of one server's protocol. */
export interface ServerEngine extends SessionEngine {
  readonly tasks: Tasks;
  readonly host: ServerHost;
  readonly settings: ProtocolSettings;
  readonly telemetry: OpenTelemetry;
  readonly watch: MessageWatch;
}

/** The public side of one engine. */
export class ServedProtocol implements Protocol {
  // Every request uses these functions. They are bound beforehand, so that no request goes through a method of this
  // class, and none asks whether somebody listens to messages.
  read!: Protocol['read'];
  serveStateless!: Protocol['serveStateless'];
  serveStateful!: Protocol['serveStateful'];

  /** @param engine is also what operators look at */
  constructor(readonly engine: ServerEngine) {
    engine.host.messageListeners.onSwitch = () => this.#bind();
    this.#bind();
  }

  get info(): ServerInfo {
    return this.engine.host.info;
  }

  get refusesLanding(): boolean {
    return this.engine.host.refusesLanding;
  }

  get anyProcess(): boolean {
    return this.engine.host.stores.anyProcess ?? false;
  }

  get clock(): Clock {
    return this.engine.host.clock;
  }

  get logger(): Logger {
    return this.engine.host.logger;
  }

  get claims(): ClaimStore {
    return this.engine.host.claims;
  }

  get draining(): boolean {
    return this.engine.traffic.draining;
  }

  get stateful(): StatefulService | undefined {
    const { stateful, sessions, subscriptions } = this.engine.settings;
    if (!stateful) return undefined;
    const { maxPerTenant } = subscriptions;
    return { hasSessions: sessions !== undefined, pollAfterMs: sessions?.pollAfter, maxPerTenant };
  }

  get abandoned(): number {
    return this.engine.host.work.abandoned;
  }

  get load(): ProtocolLoad {
    const { sessions, listeners, traffic } = this.engine;
    return { sessions: sessions.size, subscriptions: listeners.size, requests: traffic.active };
  }

  get stores(): readonly StoreHealth[] {
    return storeHealth(this.engine.host);
  }

  get taskLoad(): Promise<QueueLoad | undefined> | undefined {
    return this.engine.tasks.load();
  }

  eraOf(version: string): Era | undefined {
    const { revisions } = this.engine;
    return revisions.find(version)?.era ?? (revisions.looksStateless(version) ? 'stateless' : undefined);
  }

  featuresOf(revision: Revision): Features {
    return this.engine.served.get(revision)!.codec.features;
  }

  findPrincipalProblem(principal: Principal | undefined): ConfigurationProblem | undefined {
    return findPrincipalProblem(principal, this.engine.host);
  }

  warnAtStart(fix: string | undefined): void {
    const { registry, logger, background, options } = this.engine.host;
    // Who lists no classes with `services: []` means it. A process may be there for its background methods alone.
    if (!options.services && registry.isEmpty() && background.list().length === 0)
      logger.warn({ option: 'services', fix: FILL }, EMPTY);
    const found = fix !== undefined && registry.describeUnusable();
    if (!found) return;
    const { message, ...place } = found;
    logger.warn({ ...place, fix }, message);
  }

  openSession(request: RpcRequest, peer: Peer): OpenedSession {
    const opened = openSession(this.engine, request, peer);
    if (this.engine.watch.isOn) this.engine.watch.opened(request, peer, opened);
    return opened;
  }

  findSession(id: string, principal: Principal | undefined): Session | undefined {
    return this.engine.sessions.find(id, principal);
  }

  detachedSession(revision: Revision, principal: Principal | undefined): Session {
    const session = this.engine.sessions.detached(revision, { capabilities: {} }, principal);
    session.initialized = true;
    return session;
  }

  resumeSession(id: string, peer: Peer): MaybePromise<Session | Reply | undefined> {
    return resumeSession(this.engine, id, peer);
  }

  endSession(id: string): Promise<void> {
    return this.engine.sessions.end(id);
  }

  hear(session: Session, message: RpcNotification | RpcResponse): void {
    if (this.engine.watch.isOn) this.engine.watch.heard(session, message);
    if (message.kind === 'response') session.answer(message);
    else hearNotification(session, message);
  }

  connect(peer: Peer, send: (text: string) => void, isBehind?: () => boolean): Connection {
    return new Connection(this.engine, peer, { send, isBehind });
  }

  noteRefusal(refusal: Omit<RefusedRequest, 'operation' | 'name'>): void {
    noteRefusedRequest(this.engine, refusal);
  }

  countUnreadable(status: number): void {
    this.engine.telemetry.metrics?.countRefused('TW_REQUEST_INVALID', {}, status);
  }

  noteUnhandled({ error, isRejection, isKept }: UnhandledFailure): void {
    const { logger, registry, work } = this.engine.host;
    const what = isRejection
      ? 'A promise that nobody awaits was rejected'
      : 'A timer or a listener has thrown';
    logger.error(
      { err: error, operations: operationsIn(error, registry), running: work.report() },
      `${what}. ${isKept ? 'The process goes on' : 'The process stops as soon as its calls are answered'}`,
    );
  }

  async workOnTasks(concurrency: number): Promise<void> {
    const { queued } = this.engine.tasks;
    if (!queued || queued.isWorking) throw new ConfigurationError(queued ? worksAlready : noQueue);
    await queued.work(concurrency);
  }

  async drain(grace: Duration = DRAIN_GRACE_MS): Promise<boolean> {
    const graceMs = parseDuration(grace);
    // The server's clock keeps no process alive: without this timer, one could end before its calls are answered.
    const alive = setInterval(() => undefined, LONGEST_TIMER_MS);
    try {
      return await this.#drain(graceMs);
    } finally {
      clearInterval(alive);
    }
  }

  async #drain(graceMs: number): Promise<boolean> {
    const { traffic, subscriptions, audiences, sessions, tasks, refusals } = this.engine;
    const { telemetry, host } = this.engine;
    const { logger, work } = host;
    traffic.draining = true;
    work.giveQuestionsBack();
    subscriptions.endAll();
    const [finished, packagesFinished, tasksFinished] = await Promise.all([
      this.#finishCalls(graceMs),
      host.additions.drain(graceMs),
      tasks.drain(graceMs),
    ]);
    // Answers that wait for the pause after progress still need the streams of their session.
    await pause(ANSWER_PAUSE_MS * 2);
    sessions.closeAll();
    audiences.stop();
    await answersWritten();
    if (work.abandoned > 0) {
      const enough = new AbortController();
      const { signal } = enough;
      const tooLong = pause(Math.min(graceMs, SETTLING_MS), undefined, { signal }).catch(() => undefined);
      await Promise.race([work.whenSettled(), tooLong]);
      enough.abort();
    }
    const running = work.report();
    if (running.length > 0) logger.warn({ running }, 'The server stops while work is still running');
    refusals.settle();
    await Promise.all([host.audit?.flush(), telemetry.flush(host.clock)]);
    return finished && packagesFinished && tasksFinished && running.length === 0;
  }

  /**
   * Waits for the running calls. A call that is not done in time is stopped and answered, so that each client knows
   * what became of its call.
   */
  async #finishCalls(graceMs: number): Promise<boolean> {
    const { traffic, host } = this.engine;
    if (await traffic.whenIdle(graceMs, host.clock)) return true;
    // A task is given back to its queue, or ended by its runner.
    for (const { work, stop } of host.work.open()) if (!work.request.task?.started) stop('shutdown');
    await traffic.whenIdle(SETTLING_MS, systemClock);
    return false;
  }

  #bind(): void {
    const engine = this.engine;
    const { watch } = engine;
    this.read = readMessages.bind(undefined, engine);
    this.serveStateless = serveStateless.bind(undefined, engine);
    this.serveStateful = serveStateful.bind(undefined, engine);
    if (!watch.isOn) return;
    this.read = (body, arrival) => {
      const reading = readMessages(engine, body, arrival);
      tellUnserved(watch, body, { reading, arrival });
      return reading;
    };
    this.serveStateless = (request, channel) =>
      watch.stateless(request, channel, (watched) => serveStateless(engine, request, watched));
    this.serveStateful = (request, channel) => {
      const { message, route } = request;
      const { session } = route;
      return watch.stateful({ message, session }, channel, (watched) =>
        serveStateful(engine, request, watched),
      );
    };
  }
}

const noQueue: ConfigurationProblem = {
  code: 'TW_OPTION_INVALID',
  message: 'This server has no task queue, so there is no work for serveTasks.',
  fix: 'Set "stores.tasks" to a queue, such as postgresTasks makes. Without one, tasks run in the process that began them.',
};
const worksAlready: ConfigurationProblem = {
  code: 'TW_OPTION_INVALID',
  message: 'This process works on the task queue already, with the concurrency of "tasks.concurrency".',
  fix: 'Leave out "tasks.concurrency" where you call serveTasks.',
};

/** Reports messages that are refused or that need no answer. All other messages are reported when they are served. */
function tellUnserved(
  watch: MessageWatch,
  body: unknown,
  { reading, arrival }: { reading: ClassifiedBody; arrival: InboundContext },
): void {
  if (reading.kind === 'refused') watch.refused(body, arrival.peer, reading.reply);
  else if (reading.kind === 'accepted') watch.refused(body, arrival.peer);
}

/** Milliseconds. Work that was asked to stop needs less time to end its commands and close its connections. */
const SETTLING_MS = 1_000;

/**
 * Waits until transports have written the last answers. They get them in this turn of the event loop and
 * write them in the next one at the latest.
 */
async function answersWritten(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
