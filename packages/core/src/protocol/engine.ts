import type { MaybePromise } from '../base/maybe-promise.js';
import type { ProtocolError } from '../base/errors/errors.js';
import type { AuditEvent } from '../ports/audit-sink.js';
import type { JsonObject } from './messages/json-rpc.js';
import type { RefusalLog } from '../call/security/refusal-log.js';
import type { Observed, Telemetry } from './requests/telemetry.js';
import type { Tasks } from './tasks/tasks.js';
import type { Capability } from './revisions/capabilities.js';
import type { Codec } from './codecs/codec.js';
import type { Incoming } from './requests/incoming.js';
import type { ListPages } from './lists/list-pages.js';
import type { ListenStream } from './sessions/listen-stream.js';
import type { Audiences } from './sessions/audiences.js';
import type { QuotaPool } from './sessions/quota-pool.js';
import type { ProtocolHost } from './protocol-host.js';
import type { ProtocolSettings } from './protocol-options.js';
import type { Revisions } from './revisions/revisions.js';
import type { Rounds } from './rounds/rounds.js';
import type { SessionStore } from './sessions/session-store.js';
import type { Subscriptions } from './sessions/subscriptions.js';
import type { MessageWatch } from './observation/message-watch.js';
import type { Scheduler } from './schedules/scheduler.js';
import type { Traffic } from './requests/traffic.js';

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
