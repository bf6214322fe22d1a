/** How a call went, if a step has something to say about it. The audit log records it. */
export interface Verdict {
  outcome?: 'denied' | 'limited' | 'invalid' | 'timeout' | 'cancelled' | 'error';
  /** A stable error code. */
  reason?: string;
  /** The reference id that the caller got with a generic error. */
  reference?: string;
  /** What was thrown. It is set only for tasks on a queue. */
  error?: unknown;
  /** Whether the same call may succeed later. It is set together with `error`. */
  mayPass?: boolean;
}
