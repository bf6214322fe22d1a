import { type Clock, monotonic } from '../../ports/clock-and-ids.js';
import type { Logger } from '../../ports/logger.js';
import { callerKey } from '../operation/keys.js';
import type { Call, Verdict } from '../operation/operation.js';

const spanMs = 60_000;
/**
 * The number of refusals, of one kind and caller within a span, that honest mistakes of a model stay below.
 */
const threshold = 10;
/** How many callers are watched at a time. An attacker with more names than this must not use more memory. */
const mostCallers = 10_000;

const types = { denied: 'denied', limited: 'limited', invalid: 'malformed' } as const;

/** The part of a call that shows why it was refused. */
export type JudgedCall = Pick<Call, 'request' | 'operation'> & { readonly verdict: Verdict };

/**
 * Notices callers that are refused again and again. It reports them at the tenth refusal within a minute, and
 * at every doubling.
 */
export class SecurityMonitor {
  readonly #counts = new Map<string, { since: number; refusals: number }>();

  constructor(
    private readonly ports: { clock: Clock; logger: Logger },
    private readonly listener: SecurityListener | undefined,
  ) {}

  /** Call this once for every call that was not carried out as requested. */
  note({ verdict, request, operation }: JudgedCall): void {
    const type = types[verdict.outcome as keyof typeof types];
    if (!type) return;
    const caller = callerKey(request, true);
    const count = this.#count(`${type} ${caller}`);
    if (count < threshold || !Number.isInteger(Math.log2(count / threshold))) return;
    const event = { type, caller, operation: operation.name, count, time: this.ports.clock.now() };
    this.ports.logger.warn(event, 'A caller is refused repeatedly');
    this.listener?.(event);
  }

  #count(key: string): number {
    const now = monotonic(this.ports.clock);
    const known = this.#counts.get(key);
    const current = known && now - known.since < spanMs ? known : { since: now, refusals: 0 };
    current.refusals++;
    // The last callers are forgotten last. Who is refused often need not move each time (ADR 301).
    if (Number.isInteger(Math.log2(current.refusals))) {
      this.#counts.delete(key);
      this.#counts.set(key, current);
    }
    if (this.#counts.size > mostCallers) this.#counts.delete(this.#counts.keys().next().value!);
    return current.refusals;
  }
}

/**
 * Something that may be an attack.
 * - `denied`, `limited`, `malformed`: the same caller was refused again and again
 * - `forgery`: a `requestState` that this server did not make, that was made for another caller or call, or that was
 *   used before
 * - `authentication`: a token that this server does not accept
 * - `upstream`: a server behind this one has changed what it offers, or addresses the model in a description
 */
export interface SecurityEvent {
  type: 'denied' | 'limited' | 'malformed' | 'forgery' | 'authentication' | 'upstream';
  /** The principal, the address, or `anonymous`; of `upstream` the name of the server. */
  caller: string;
  /** The name of the operation that was refused last. */
  operation: string;
  /** How many refusals there were in the current span of time. */
  count: number;
  /**
   * Why the last request was refused: `forged`, `stolen`, `audience`, `expired` and so on, or an error code. Of `upstream`,
   * what has changed, or the words.
   */
  reason?: string;
  /** Milliseconds since the epoch. */
  time: number;
}

export type SecurityListener = (event: SecurityEvent) => void;
