/**
 * Something that may be an attack.
 * - `denied`, `limited`, `malformed`: the same caller was refused again and again
 * - `forgery`: a `requestState` that this server did not make, or not for this caller and call, or that was used before
 * - `authentication`: a token that does not count here
 */
export interface SecurityEvent {
  type: 'denied' | 'limited' | 'malformed' | 'forgery' | 'authentication';
  /** Principal, address or `anonymous`. */
  caller: string;
  /** Name of the operation that was refused last. */
  operation: string;
  /** Refusals in the current span. */
  count: number;
  /** Why the last was refused: `forged`, `stolen`, `audience`, `expired`, …, or an error code. */
  reason?: string;
  /** Milliseconds since the epoch. */
  time: number;
}

export type SecurityListener = (event: SecurityEvent) => void;
