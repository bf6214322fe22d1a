/** Something that may be an attack: the same caller was refused again and again. */
export interface SecurityEvent {
  type: 'denied' | 'limited' | 'malformed';
  /** Principal, address or `anonymous`. */
  caller: string;
  /** Name of the operation that was refused last. */
  operation: string;
  /** Refusals in the current span. */
  count: number;
  /** Milliseconds since the epoch. */
  time: number;
}

export type SecurityListener = (event: SecurityEvent) => void;
