import type { OperationKind } from '@toolwright/ground/base/operation-kinds';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import { parseOptions } from '@toolwright/ground/base/options/option-schema';
import type { Principal } from '@toolwright/ground/base/request-context';
import {
  type AttachOptions,
  type AttachedMiddleware,
  attachedMiddlewareOptions,
} from '@toolwright/ground/call/call-options';
import type { RunningOperation } from '@toolwright/ground/call/limits/running-work';
import type { CallListener } from '@toolwright/ground/call/operation/call-trace';
import type { Middleware, OfKind } from '@toolwright/ground/call/operation/operation';
import type { SecurityListener } from '@toolwright/ground/call/security/security-monitor';
import type { ServerInfo } from '@toolwright/wire/revision-record';
import type { BootedServer } from './boot/boot-server.js';
import { type ToolExplanation, explainTools } from './boot/registry/explanation.js';
import { OperationCollections } from './boot/registry/kinds.js';
import { changeListeners, collectionOpener, refreshAppLinks } from './boot/registry/open-collections.js';
import { publisher } from './boot/registry/operation-collection.js';
import { ServiceCollection } from './boot/registry/service-collection.js';
import { ProvidedInstances } from './boot/services/bound-service.js';
import type { InjectionToken } from './container/provider.js';
import { ServerOperator } from './observe/server-operator.js';
import type { ServerEngine } from './protocol/served-protocol.js';
import type { MessageListener } from './observe/message-watch.js';
import type { Protocol } from './protocol/protocol.js';

/** What one can listen to. */
interface ServerListeners {
  security: SecurityListener;
  sessionEnd: SessionEndListener;
  call: CallListener;
  message: MessageListener;
}

/** Options of `resourceUpdated`. */
export interface ResourceUpdateOptions {
  /**
   * Returns true for a principal that may hear of this change. Others do not hear of it, even if they may read the
   * resource. Only `true` counts. The function is called in this process alone: other processes ask it about the
   * principals of their clients, which needs the option `secrets`.
   */
  readonly to?: (principal: Principal | undefined) => boolean;
  /**
   * `true`: only the clients of this process hear of the change. Set it when every process hears of the change by
   * itself, for example with LISTEN of PostgreSQL: otherwise N processes tell each client N times. Default `false`:
   * one process hears of the change, and the bus tells the others.
   */
  readonly local?: boolean;
}

/** A server that is ready to be connected to transports. `createMcpServer` makes it. */
export class McpServer extends OperationCollections {
  readonly info: ServerInfo;
  /** The interface that transports use. */
  readonly protocol: Protocol;
  readonly services: ServiceCollection;
  readonly #booted: BootedServer;
  readonly #engine: ServerEngine;
  readonly #provided: ProvidedInstances;
  readonly #listeners: { readonly [E in keyof ServerListeners]: Set<ServerListeners[E]> };
  #closing: Promise<void> | undefined;

  /** @internal */
  constructor(booted: BootedServer) {
    const { protocol } = booted;
    const changed = changeListeners(booted, () => refreshAppLinks(booted));
    super(collectionOpener(booted, changed));
    booted.extensions.attach(this, () => this.#replan());
    this.#booted = booted;
    this.info = booted.info;
    this.protocol = protocol;
    this.#engine = protocol.engine;
    this.#provided = new ProvidedInstances(booted);
    this.services = new ServiceCollection(booted, { provided: this.#provided, changed });
    this.#listeners = {
      security: booted.securityListeners,
      sessionEnd: booted.sessionEnds,
      call: booted.callListeners,
      message: booted.messageListeners,
    };
  }

  /**
   * Puts middleware around calls of tools, prompts and resources. It runs inside the built-in guards, and
   * inside the middleware that was added before.
   *
   * @param options.appliesTo the kinds of operations that it runs around; default: all. They also decide the type of
   * `call.operation` and of what `next()` returns
   * @param options.when decides once per operation, from its kind, name, annotations and policies; default:
   * all
   * @throws {ConfigurationError} when `appliesTo` names a kind of operation that does not exist
   * @example
   * server.use(twoPersonRule, { when: (operation) => operation.annotations.destructiveHint === true });
   */
  use<K extends OperationKind = OperationKind>(
    middleware: Middleware<OfKind<K>>,
    options: AttachOptions<K> = {},
  ): this {
    const { middleware: attached } = this.#booted;
    const given = { ...options, middleware } as AttachedMiddleware;
    attached.push(parseOptions('server.use', attachedMiddlewareOptions, given));
    try {
      this.#replan();
    } catch (error) {
      attached.pop();
      throw error;
    }
    return this;
  }

  /**
   * Returns what the container provides for a token: the same instance that the server's services use. It is
   * meant for the file that starts the server and needs a service for something else. Services ask for their
   * dependencies in their constructors instead. The instance is built now if nothing has needed it yet, and
   * it is disposed when the server closes.
   *
   * @throws {ConfigurationError} when nothing provides the token, when it cannot be built, or when it lives
   * for one call only
   * @example
   * const watcher = await server.get(FolderWatcher);
   */
  get<T>(token: InjectionToken<T>): Promise<T> {
    return this.#provided.get(token) as Promise<T>;
  }

  /**
   * Calls the listener when a caller is refused again and again. Returns a function that removes the
   * listener.
   */
  on(event: 'security', listener: SecurityListener): () => void;
  /**
   * Calls the listener when a session has ended, however it ended. Use it to remove data that you keep by
   * `ctx.sessionId`. Services in session scope do not need it: they are disposed anyway. Returns a function
   * that removes the listener.
   */
  on(event: 'sessionEnd', listener: SessionEndListener): () => void;
  /**
   * Calls the listener when a call of a tool, prompt or resource begins, and when it has ended: with what each guard
   * did and how long it took. It is for development and for finding problems: while anybody listens, calls are slower,
   * and while nobody does, this costs nothing. Arguments marked sensitive are hidden. Returns a function that removes
   * the listener.
   *
   * @example
   * server.on('call', ({ name, state, durationMs, outcome }) => {
   *   if (state === 'ended') console.log(name, outcome, `${durationMs.toFixed(1)} ms`);
   * });
   */
  on(event: 'call', listener: CallListener): () => void;
  /**
   * Calls the listener with every JSON-RPC message that a client and this server send each other, on every transport.
   * What is said of `call` is true here, too. Returns a function that removes the listener.
   */
  on(event: 'message', listener: MessageListener): () => void;
  on<E extends keyof ServerListeners>(event: E, listener: ServerListeners[E]): () => void {
    const listeners = this.#listeners[event] as Set<unknown>;
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /**
   * Tells the clients that subscribed to this resource that it has changed, at every process of the server, or with
   * `local` at this one. A client hears of it only while it may read the resource; see the option `mayRead`.
   *
   * @example
   * server.resourceUpdated(`ticket://${id}`, { to: (principal) => principal?.subject === owner });
   */
  resourceUpdated(uri: string, { to, local }: ResourceUpdateOptions = {}): void {
    if (local) {
      const event = to
        ? ({ type: 'resourceUpdatedFor', uri, question: '', to } as const)
        : ({ type: 'resourceUpdated', uri } as const);
      return this.#engine.subscriptions.tellHere(event);
    }
    if (to) return this.#engine.audiences.publish(uri, to);
    const { bus, logger } = this.#booted;
    publisher(bus, { type: 'resourceUpdated', uri }, (err) =>
      logger.error({ err, uri }, 'A change could not be published'),
    )();
  }

  /**
   * The effective schemas, policies and chain of a tool; `undefined` when no tool has this name. Several tools may have it, for
   * different callers: the others are in `others`.
   *
   * @param caller whose tool it is; default: those of all callers
   */
  explain(
    toolName: string,
    caller?: { readonly principal: Principal | undefined },
  ): ToolExplanation | undefined {
    return explainTools(this.#booted.registry.tools.candidates(toolName), caller);
  }

  /**
   * The work that is still running, by operation: calls that wait for their answer, and abandoned work. Work
   * is abandoned when its call was cancelled, or was answered at its deadline, but the method runs on. Calls
   * that answer synchronously never appear here.
   */
  runningWork(): readonly RunningOperation[] {
    return this.#booted.work.report();
  }

  /**
   * Lets somebody who looks after the server see what it keeps at this moment, and end what must end. It costs
   * nothing while nobody asks. The audit log records each change.
   *
   * @param by who that is; it is recorded with each change
   * @example
   * const operator = server.operate('ann');
   * const { sessions } = await operator.state();
   * for (const { key, client } of sessions) if (client === 'broken-agent 1.0.0') await operator.endSession(key);
   */
  operate(by: string): ServerOperator {
    return new ServerOperator(by, this.#booted, this.#engine);
  }

  /**
   * Refuses new requests and waits for the requests that are being answered. Then it waits until all their
   * records are stored. When this resolves, the process may exit. It does not wait for work that runs on
   * after its call was answered. Work that is still running at the end is logged, by operation.
   *
   * @param grace how long to wait for calls; default 30 seconds; 0: not at all; `Infinity`: until they end
   * @returns false when something was still running at the end
   * @throws the error of the audit log, when it cannot store its records
   */
  drain(grace?: Duration): Promise<boolean> {
    return this.protocol.drain(grace);
  }

  /**
   * Drains the server, then disposes every service, closes the audit log and disconnects the stores. You may call it twice.
   *
   * @param grace as of `drain`: 0: it does not wait for calls; `Infinity`: until they end
   * @throws the error of disposing a service or of storing records, after everything is disposed and closed
   */
  close(grace?: Duration): Promise<void> {
    return (this.#closing ??= this.#close(grace));
  }

  #replan(): void {
    this.#booted.registry.replan();
    refreshAppLinks(this.#booted);
  }

  #close(grace?: Duration): Promise<void> {
    const { kernel, audit, stores, queue, extensions } = this.#booted;
    return eachInTurn(
      () => this.drain(grace),
      () => extensions.close(),
      () => kernel.close(),
      () => audit?.close(),
      () => queue?.close?.(),
      () => stores.close?.(),
    );
  }
}

/**
 * Does one step after the other, also when one of them fails.
 *
 * @throws the error of the last step that failed
 */
async function eachInTurn(...steps: readonly (() => unknown)[]): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failure = { error };
    }
  }
  if (failure) throw failure.error;
}

/** Is called when a session has ended. It may be async. */
export type SessionEndListener = (event: { readonly sessionId: string }) => void | Promise<void>;
