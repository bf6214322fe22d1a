/** How a call went, if a step has something to say about it. The audit log records it. */
export interface Verdict {
  outcome?: 'denied' | 'limited' | 'invalid' | 'timeout' | 'cancelled' | 'error';
  /** A stable error code. */
  reason?: string;
  /** The reference id that the caller got with a generic error. */
  reference?: string;
}
