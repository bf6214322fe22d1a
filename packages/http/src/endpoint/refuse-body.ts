import { errorText } from '@toolwright/core/transport';
import type { HttpCall } from './http-call.js';
import type { HttpFault } from './http-fault.js';
import { sendFault } from './respond.js';

/** Refuses a body. The client may still be sending one that is too large. */
export function refuseBody({ exchange, endpoint }: HttpCall, fault: HttpFault): void {
  const { status, rpcCode, message } = fault;
  if (status !== 413) return sendFault(exchange, fault);
  exchange.sendJsonEarly(status, errorText(undefined, { rpcCode, message }), endpoint.sse.clock);
}
