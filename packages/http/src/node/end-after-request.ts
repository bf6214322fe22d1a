import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@toolwright/core/ports';

/** For how many milliseconds the rest of a body is still read and thrown away. */
const LINGER_MS = 1_000;

/**
 * Ends an answer that was written before its request was whole. The client may still be sending. If the connection were closed
 * with unread bytes, the client would lose the answer, too (TCP reset).
 */
export function endAfterRequest(req: IncomingMessage, res: ServerResponse, clock: Clock): void {
  const end = () => {
    stopClock();
    res.end();
  };
  const stopClock = clock.after(LINGER_MS, end);
  req.once('end', end).once('close', end).resume();
}
