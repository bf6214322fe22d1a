import { ProtocolError } from './protocol-error.js';

/** The server has more work than it can take. Over HTTP it is answered with status 503 and `Retry-After`. */
export class OverloadError extends ProtocolError {
  constructor(readonly retryAfterMs: number) {
    super(503, `The server is busy; retry in ${Math.ceil(retryAfterMs / 1_000)} s.`, { retryAfterMs });
  }
}
