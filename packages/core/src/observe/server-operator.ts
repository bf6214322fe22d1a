import { ToolError } from '@toolwright/ground/base/errors/errors';
import { logSafeText } from '@toolwright/ground/base/log';
import type { Environment } from '@toolwright/ground/call/environment';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { Registry } from '@toolwright/ground/call/operation/registry';
import { type WatchedAuditSink, eventRecord } from '@toolwright/ground/call/security/watched-audit-sink';
import type { TaskAdmin } from '@toolwright/ground/ports/task-store';
import {
  endSession,
  findTask,
  latestTasks,
  openCalls,
  openSessions,
  openStreams,
  openSubscriptions,
  stopCall,
  taskKey,
  resetLimits,
  usedLimits,
  usedSlots,
} from './server-activity.js';
import { storeHealth } from '../requests/engine.js';
import type { SessionEngine } from '../sessions/open-session.js';
import type { Tasks } from '../tasks/tasks.js';
import type { UpstreamServer } from '../requests/protocol-additions.js';
import type { ServerState } from './server-state.js';

/** How many entries of each list are shown, unless the operator asks for another number. */
const SHOWN = 200;

/** The parts of a server that an operator looks at, besides its protocol. */
interface OperatedServer extends Environment {
  readonly registry: Registry & { operations(): readonly BoundOperation[] };
  readonly audit: WatchedAuditSink | undefined;
}

type OperatedEngine = SessionEngine & { readonly tasks: Tasks };

/**
 * Looks at what a server keeps at this moment, and ends what must end, for somebody who looks after it.
 * `McpServer.operate` makes it. Each change is recorded in the audit log, with who made it.
 */
export class ServerOperator {
  readonly #server: OperatedServer;
  readonly #engine: OperatedEngine;
  readonly #admin: Required<TaskAdmin> | undefined;

  constructor(
    private readonly by: string,
    server: OperatedServer,
    engine: OperatedEngine,
  ) {
    this.#server = server;
    this.#engine = engine;
    this.#admin = engine.tasks.admin(by);
  }

  /**
   * What the server keeps at this moment. Nothing is counted for it before somebody asks.
   *
   * @param shown how many entries each list has at most; default 200
   */
  async state(shown = SHOWN): Promise<ServerState> {
    const server = this.#server;
    const { registry } = server;
    const engine = this.#engine;
    const calls = openCalls(server);
    const limits = usedLimits(server, registry.operations());
    const slots = usedSlots(server);
    const sessions = openSessions(engine);
    const streams = openStreams(engine);
    const subscriptions = openSubscriptions(engine, registry);
    const added = engine.host.additions.state();
    const counts = {
      calls: calls.length,
      abandoned: server.work.abandoned,
      limits: limits.length,
      slots: slots.length,
      sessions: sessions.length,
      streams: streams.length,
      subscriptions: subscriptions.length,
      ...Object.fromEntries(added.map(([name, list]) => [name, list.length])),
    };
    const first = <T>(list: T[], rank?: (entry: T) => number): T[] =>
      (rank ? list.sort((one, other) => rank(other) - rank(one)) : list).slice(0, shown);
    return {
      at: server.clock.now(),
      calls: first(calls),
      limits: first(limits, ({ used, points }) => used / points),
      slots: first(slots, ({ held, waiting }) => held + waiting),
      sessions: first(sessions, ({ usedAt }) => usedAt),
      streams: first(streams),
      subscriptions: first(subscriptions, ({ count }) => count),
      ...Object.fromEntries(added.map(([name, list]) => [name, list.slice(0, shown)])),
      tasks: await this.#tasks(shown),
      queue: await engine.tasks.load(),
      stores: storeHealth(engine.host),
      counts,
    };
  }

  /** The log that this server writes, if there is one. `file` is missing when a sink of the application takes the records. */
  get auditLog(): { readonly file?: string } | undefined {
    const { audit } = this.#server;
    if (!audit) return undefined;
    return audit.file === undefined ? {} : { file: audit.file };
  }

  /**
   * Ends a call. Its client gets an answer that says so; its work ends if it reacts to its signal.
   *
   * @param number from `state` or from a trace
   * @returns false when no such call waits for its answer
   */
  cancelCall(number: number): Promise<boolean> {
    return this.#record('cancel call', String(number), () => stopCall(this.#server, number));
  }

  /**
   * Ends a session, at every process. Its client has to open another one.
   *
   * @param key from `state`
   * @returns false when this process has no such session
   */
  endSession(key: string): Promise<boolean> {
    return this.#record('end session', key, () => endSession(this.#engine, key));
  }

  /**
   * Cancels a task, and stops its work.
   *
   * @param key from `state`
   * @returns false when there is no such task among the latest 1,000, or it has ended
   */
  cancelTask(key: string): Promise<boolean> {
    return this.#record('cancel task', key, async () => {
      const id = await this.#find(key);
      return id !== undefined && (await this.#admin!.cancel(id));
    });
  }

  /**
   * Begins the work of an ended task again, as a new task of the same owner. Only a queue can do it.
   *
   * @param key from `state`
   * @returns the key of the new task; `undefined` when there is no such task, it has not ended, or its work is gone
   */
  retryTask(key: string): Promise<string | undefined> {
    return this.#record('retry task', key, async () => {
      const id = await this.#find(key);
      const next = id === undefined ? undefined : await this.#admin!.retry(id);
      return next === undefined ? undefined : taskKey(next);
    });
  }

  /**
   * Gives callers their points back, as far as the limiters can.
   *
   * @param key of one limit, from `state`; default: all
   * @returns how many limits were reset
   */
  resetLimits(key?: string): Promise<number> {
    return this.#record('reset limits', key, () => resetLimits(this.#server, key));
  }

  /** The servers that this one depends on, and what they offer at this moment. */
  upstreams(): readonly UpstreamServer[] {
    return this.#engine.host.additions.upstreams();
  }

  /** The methods that packages add for operators, such as `keys.list`. */
  get methods(): readonly string[] {
    return [...this.#engine.host.additions.operatorMethods().keys()];
  }

  /**
   * Asks or does something that a package adds. What changes something is recorded.
   *
   * @param name one of `methods`
   * @param params as the package wants them, and checks them
   * @throws {ToolError} with what the package says, or when the change cannot be recorded
   */
  async ask(name: string, params: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const method = this.#engine.host.additions.operatorMethods().get(name);
    if (!method) throw new ToolError(`This server has no method ${logSafeText(name)} for operators.`);
    if (method.action === undefined) return method.run(params);
    return this.#record(method.action, method.target?.(params), () => method.run(params));
  }

  async #find(key: string): Promise<string | undefined> {
    return this.#admin && findTask(this.#admin, key);
  }

  /** What is known of everything else is shown while the store is away. */
  async #tasks(shown: number): Promise<ServerState['tasks']> {
    try {
      return this.#admin && (await latestTasks(this.#admin, shown));
    } catch (err) {
      this.#server.logger.warn({ err }, 'An operator could not see the tasks');
      return undefined;
    }
  }

  /**
   * Runs what an operator asks for, and records it: the intent before it is done, and then whether it was.
   *
   * @param given what it is done to
   * @param act says whether there was anything to do
   * @throws {ToolError} `TW_AUDIT_DOWN` when the intent cannot be recorded: nothing is done then
   */
  async #record<T>(action: string, given: string | undefined, act: () => T | Promise<T>): Promise<T> {
    const target = given === undefined ? undefined : logSafeText(given);
    const { audit, logger } = this.#server;
    const fields = target === undefined ? {} : { target };
    const intent = eventRecord(this.#server, {
      event: 'intent',
      operation: 'operator',
      name: action,
      principal: { subject: this.by },
      arguments: fields,
      loggable: fields,
    });
    try {
      await audit?.write(intent, 'strict');
    } catch (cause) {
      const message = 'This could not be recorded, so it was not done.';
      throw new ToolError(message, { code: 'TW_AUDIT_DOWN', cause });
    }
    let outcome = 'error';
    try {
      const done = await act();
      outcome = done ? 'ok' : 'nothing to do';
      return done;
    } finally {
      logger.info({ by: this.by, action, target, outcome }, 'An operator changed the server');
      const { id, time, ...same } = intent;
      // It is done, whether its end can be recorded or not. `WatchedAuditSink` logs what cannot.
      const end = eventRecord(this.#server, { ...same, event: 'outcome', outcome });
      await (async () => audit?.write(end, 'strict'))().catch(() => undefined);
    }
  }
}
