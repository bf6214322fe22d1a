import type { Icon } from '../base/content.js';
import type { ProtocolError } from '../base/errors/errors.js';
import type { MaybePromise } from '../base/maybe-promise.js';
import type { RunningWork } from '../call/limits/running-work.js';
import type { Registry } from '../call/operation/registry.js';
import type { RefusalLog } from '../call/security/refusal-log.js';
import type { SecurityListener } from '../call/security/security-monitor.js';
import type { MessageListeners, MessageWatch } from '../observe/message-watch.js';
import type { Observed, Telemetry } from '../observe/open-telemetry.js';
import type { AuditEvent, AuditSink } from '../ports/audit-sink.js';
import type { ClaimStore } from '../ports/claim-store.js';
import type { Clock } from '../ports/clock.js';
import type { EventBus } from '../ports/event-bus.js';
import type { Additions } from './additions.js';
import type { IdSource } from '../ports/id-source.js';
import type { Logger } from '../ports/logger.js';
import type { StoreHealth } from '../ports/server-stores.js';
import type { MeasuredAudit, MeasuredPool } from '../ports/telemetry.js';
import type { ProtocolSettings } from '../protocol/protocol-options.js';
import type { ScheduleTable, Scheduler } from '../schedules/scheduler.js';
import type { Audiences } from '../sessions/audiences.js';
import type { ListenStream } from '../sessions/listen-stream.js';
import type { SessionStore } from '../sessions/session-store.js';
import type { Subscriptions } from '../sessions/subscriptions.js';
import type { Tasks } from '../tasks/tasks.js';
import type { JsonObject } from '../wire/json-rpc.js';
import type { Codec } from '../wire/revision-record.js';
import type { Revisions } from '../wire/revisions.js';
import type { Incoming } from './active-request.js';
import type { Capability } from './capabilities.js';
import type { ListPages } from './lists/list-pages.js';
import type { QuotaPool } from './quota-pool.js';
import type { Rounds } from './rounds/rounds.js';

/** The parts of one server's protocol that requests use. `createProtocol` puts them together. */
export interface Engine {
  readonly host: ProtocolHost;
  readonly settings: ProtocolSettings;
  readonly pages: ListPages;
  readonly rounds: Rounds;
  readonly tasks: Tasks;
  readonly subscriptions: Subscriptions;
  /** Who may be told of updates that are not for everybody. */
  readonly audiences: Audiences;
  /** The open `subscriptions/listen` streams. */
  readonly listeners: QuotaPool<ListenStream>;
  readonly sessions: SessionStore;
  /** Records requests that are refused before they become calls. */
  readonly refusals: RefusalLog;
  readonly traffic: Traffic;
  /** Begins what is due by its schedule. */
  readonly scheduler: Scheduler;
  readonly telemetry: Telemetry;
  /** Tells those who listen to messages. */
  readonly watch: MessageWatch;
  readonly revisions: Revisions;
  /** The codecs, by revision. */
  readonly codecs: ReadonlyMap<string, Codec>;
}

/** One request on its way to the handler of its method. */
export interface Invocation extends Incoming {
  readonly engine: Engine;
}

/** What a method calls. Records of refused requests and the header `Mcp-Name` name it. */
export interface Called {
  readonly operation: AuditEvent['operation'];
  /** The parameter that names it. Headers of stateless requests repeat its value. */
  readonly parameter?: string;
  /** Reads the name where no single parameter holds it. */
  name?(params: JsonObject): unknown;
}

/** One method of the protocol. */
export interface Method {
  readonly name: string;
  /** The method is answered with -32601 unless the server declares this capability. */
  readonly capability?: Capability;
  /** Present if the method calls something. */
  readonly calls?: Called;
  /**
   * Answers the request.
   *
   * @returns the result as JSON text; undefined when the request was cancelled and gets no answer
   * @throws {ProtocolError} which is answered as a JSON-RPC error
   */
  handle(invocation: Invocation): MaybePromise<string | undefined>;
  /** What the span is named after. */
  target?(invocation: Invocation): Observed['target'];
  /** The error for a name that does not exist, or that is hidden from the caller. */
  unknown?(invocation: Invocation): ProtocolError;
}

/** How the server introduces itself. */
export interface ServerInfo {
  name: string;
  version: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  websiteUrl?: string;
}

/** What the protocol needs from the rest of the server. */
export interface ProtocolHost {
  readonly info: ServerInfo;
  readonly instructions: string | undefined;
  readonly registry: Registry;
  /** The methods that run by a schedule. */
  readonly schedules: ScheduleTable;
  /** What packages add. */
  readonly additions: Additions;
  /** The calls whose work has not ended, whether they were answered or not. */
  readonly work: RunningWork;
  readonly bus: EventBus;
  /** True when the bus reaches other processes. */
  readonly isBusShared?: boolean;
  readonly clock: Clock;
  /** Remembers which states were already used. */
  readonly claims: ClaimStore;
  /** Remembers which sessions with sealed ids their clients have ended. Default: `claims`. */
  readonly endedSessions?: ClaimStore;
  readonly logger: Logger;
  /** Records calls. */
  readonly audit?: AuditSink | undefined;
  readonly ids?: IdSource | undefined;
  /** Who wants to know of messages. */
  readonly messageListeners: MessageListeners;
  /** Is called when something may be an attack. */
  readonly onSecurity?: SecurityListener | undefined;
  /** True when anonymous callers are refused. */
  readonly requiresPrincipal: boolean;
  /** True when endpoints must not introduce the server to people in a browser. Default: false. */
  readonly refusesLanding?: boolean;
  /** True when the next request of a client may reach another process. Default: false. */
  readonly anyProcess?: boolean;
  /** What the pools of slots have in this process. */
  slots?(): readonly MeasuredPool[];
  /** What is measured of the audit log. */
  readonly auditMeter?: MeasuredAudit | undefined;
  /** Whether the shared stores answer. */
  storeHealth?(): readonly StoreHealth[];
  /** Is called when a session of the older era has ended. */
  sessionEnded?(sessionId: string): void;
}

/** Counts the requests that are being answered, so that a server can stop without losing any. */
export class Traffic {
  /** How many requests are being answered. `runInvocation` counts them. */
  active = 0;
  /** True when new requests are refused. */
  draining = false;
  #idle: (() => void)[] = [];

  /** Refuses new requests from now on. */
  close(): void {
    this.draining = true;
  }

  /** To be called when a request of a draining server has been answered. */
  tellIdle(): void {
    if (this.active === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /**
   * Resolves when no request is being answered any more: with true, or with false when `graceMs` passed
   * before. `close` comes first.
   */
  whenIdle(graceMs: number, clock: Clock): Promise<boolean> {
    if (this.active === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cancel = clock.after(graceMs, () => resolve(false));
      this.#idle.push(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
