import { errorText } from '@toolwright/core/transport';
import type { HttpCall } from './http-call.js';
import type { HttpFailure } from './http-failure.js';
import { sendFailure } from './respond.js';

/** Refuses a request that cannot be read as a message of its caller. */
export function refuse({ exchange, endpoint }: HttpCall, failure: HttpFailure): void {
  const { status, rpcCode, message } = failure;
  // Well-made clients ask in this way whether there is a stream.
  if (status !== 405) endpoint.protocol.countUnreadable(status);
  if (status !== 413) return sendFailure(exchange, failure);
  // The client may still be sending a body that is too large.
  exchange.sendJsonEarly(status, errorText(undefined, { rpcCode, message }), endpoint.sse.clock);
}
