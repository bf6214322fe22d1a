import type { ActiveRequest } from './active-request.js';
import type { Codec } from '../codecs/codec.js';
import type { ResponseChannel } from './response-channel.js';
import type { JsonObject } from '../messages/json-rpc.js';
import type { Session } from '../sessions/session.js';

/** One request as it came in, with where its answer goes. */
export interface Incoming {
  readonly codec: Codec;
  readonly params: JsonObject;
  readonly request: ActiveRequest;
  readonly exchange: ResponseChannel;
  /** Of the older era. */
  readonly session?: Session;
}
