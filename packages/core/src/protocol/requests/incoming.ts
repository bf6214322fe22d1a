import type { ActiveRequest } from './active-request.js';
import type { Codec } from '../codecs/codec.js';
import type { ResponseChannel } from './response-channel.js';
import type { JsonObject } from '../messages/json-rpc.js';
import type { Session } from '../sessions/session.js';

/** One request, and where its answer goes. */
export interface Incoming {
  readonly codec: Codec;
  readonly params: JsonObject;
  readonly request: ActiveRequest;
  readonly exchange: ResponseChannel;
  /** The session, on the older era. */
  readonly session?: Session;
}
