/** How a call went, as far as a step had something to say about it; the audit log takes it from here. */
export interface Verdict {
  outcome?: 'denied' | 'limited' | 'invalid' | 'timeout' | 'cancelled' | 'error';
  /** A stable error code. */
  reason?: string;
  /** What the caller was given with a generic error. */
  reference?: string;
}
