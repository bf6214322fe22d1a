import { errorText } from '@toolwright/core/transport';
import type { HttpCall } from './http-call.js';
import type { HttpFailure } from './http-failure.js';
import { sendFailure } from './respond.js';

/** Refuses a body. The client may still be sending one that is too large. */
export function refuseBody({ exchange, endpoint }: HttpCall, failure: HttpFailure): void {
  const { status, rpcCode, message } = failure;
  if (status !== 413) return sendFailure(exchange, failure);
  exchange.sendJsonEarly(status, errorText(undefined, { rpcCode, message }), endpoint.sse.clock);
}
