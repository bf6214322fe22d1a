/**
 * Something that may be an attack.
 * - `denied`, `limited`, `malformed`: the same caller was refused again and again
 * - `forgery`: a `requestState` that this server did not make, that was made for another caller or call, or that was
 *   used before
 * - `authentication`: a token that this server does not accept
 */
export interface SecurityEvent {
  type: 'denied' | 'limited' | 'malformed' | 'forgery' | 'authentication';
  /** The principal, the address, or `anonymous`. */
  caller: string;
  /** The name of the operation that was refused last. */
  operation: string;
  /** How many refusals there were in the current span of time. */
  count: number;
  /**
   * Why the last request was refused: `forged`, `stolen`, `audience`, `expired` and so on, or an error code.
   */
  reason?: string;
  /** Milliseconds since the epoch. */
  time: number;
}

export type SecurityListener = (event: SecurityEvent) => void;
