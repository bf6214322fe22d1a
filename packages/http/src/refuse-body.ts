import { errorText } from '@toolwright/core/transport';
import type { HttpCall } from './endpoint.js';
import type { HttpFault } from './http-fault.js';
import { sendFault } from './respond.js';

/** For how many milliseconds the rest of a body is still read and thrown away. */
const LINGER_MS = 1_000;

/**
 * Refuses a body. The client may still be sending one that is too large. If the connection were closed with
 * unread bytes, the client would lose the answer, too (TCP reset).
 */
export function refuseBody({ req, res, endpoint }: HttpCall, fault: HttpFault): void {
  const { status, rpcCode, message } = fault;
  if (status !== 413 || res.headersSent || res.destroyed) return sendFault(res, fault);
  const text = errorText(undefined, { rpcCode, message });
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  });
  res.write(text);
  const end = () => {
    stopClock();
    res.end();
  };
  const stopClock = endpoint.sse.clock.after(LINGER_MS, end);
  req.once('end', end).once('close', end).resume();
}
