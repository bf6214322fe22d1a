import type { MaybePromise } from '../base/maybe-promise.js';
import type { ProtocolError } from '../base/errors/protocol-error.js';
import type { RefusalLog } from '../call/security/refusal-log.js';
import type { Observed, Telemetry } from './requests/telemetry.js';
import type { Tasks } from './tasks/tasks.js';
import type { Capability } from './revisions/capabilities.js';
import type { Codec } from './codecs/codec.js';
import type { Incoming } from './requests/incoming.js';
import type { ListPages } from './lists/list-pages.js';
import type { QuotaPool } from './sessions/quota-pool.js';
import type { ProtocolHost } from './protocol-host.js';
import type { ProtocolSettings } from './protocol-options.js';
import type { Revisions } from './revisions/revisions.js';
import type { Rounds } from './rounds/rounds.js';
import type { SessionStore } from './sessions/session-store.js';
import type { Subscriptions } from './sessions/subscriptions.js';
import type { Traffic } from './requests/traffic.js';

/** The parts of one server's protocol that requests work with. Put together once by `createProtocol`. */
export interface Engine {
  readonly host: ProtocolHost;
  readonly settings: ProtocolSettings;
  readonly pages: ListPages;
  readonly rounds: Rounds;
  readonly tasks: Tasks;
  readonly subscriptions: Subscriptions;
  /** Of `subscriptions/listen` streams, with what ends each. */
  readonly listeners: QuotaPool<() => void>;
  readonly sessions: SessionStore;
  /** Of what is refused before it becomes a call. */
  readonly refusals: RefusalLog;
  readonly traffic: Traffic;
  readonly telemetry: Telemetry;
  readonly revisions: Revisions;
  /** By revision. */
  readonly codecs: ReadonlyMap<string, Codec>;
}

/** One request on its way to the handler of its method. */
export interface Invocation extends Incoming {
  readonly engine: Engine;
}

/** One method of the protocol. */
export interface Method {
  readonly name: string;
  /** Answered with -32601 unless the server declares it. */
  readonly capability?: Capability;
  /**
   * @returns the result as JSON text; undefined when the request was given up and gets no answer
   * @throws {ProtocolError} to be answered as a JSON-RPC error
   */
  handle(invocation: Invocation): MaybePromise<string | undefined>;
  /** What a span is named after. */
  target?(invocation: Invocation): Observed['target'];
  /** The answer when what the request names does not exist; also when the caller may not know that it does. */
  unknown?(invocation: Invocation): ProtocolError;
}
