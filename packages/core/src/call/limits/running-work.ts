import type { RequestContext } from '../../base/request-context.js';
import type { BoundOperation } from '../operation/operation.js';
import { addressOf, operationKey } from '../operation/operation-key.js';

/** How much work may run on after its calls were answered. */
export interface AbandonedWorkLimits {
  /** Of one operation. */
  perTool: number;
  /** Of the whole server. */
  total: number;
}

/** What still runs of one operation. */
export interface RunningOperation {
  readonly kind: BoundOperation['kind'];
  /** Its name; the URI of a resource. */
  readonly name: string;
  /** Calls that are not over, the abandoned ones included. */
  readonly running: number;
  /** Calls that were answered, at their deadline or when they were cancelled, and whose work runs on. */
  readonly abandoned: number;
}

interface Work {
  readonly operation: BoundOperation;
  readonly request: Pick<RequestContext, 'principal'>;
}

/**
 * The calls whose work is not over. Nothing can stop a method that is deaf to its signal: its call is answered, its work
 * is then *abandoned* and runs on. Abandoned work keeps its slots, is counted here, and is bounded, since each piece of it
 * holds memory and may hold connections. Principals and anonymous callers are bounded apart, so that no principal is
 * refused for what anonymous callers left behind. Calls that answer synchronously are never in here.
 */
export class RunningWork {
  readonly #running = new Set<Work>();
  readonly #abandoned = new Set<Work>();
  #settled: (() => void)[] = [];
  readonly #ofPrincipals = new Tally();
  readonly #ofAnonymous = new Tally();

  constructor(private readonly limits: AbandonedWorkLimits) {}

  /** Calls that were answered and whose work runs on. */
  get abandoned(): number {
    return this.#abandoned.size;
  }

  /** True when so much abandoned work of the caller's kind runs that the operation must take no more of its calls. */
  isFull({ operation, request }: Work): boolean {
    if (this.#abandoned.size === 0) return false;
    const tally = this.#tallyOf(request);
    return tally.total >= this.limits.total || tally.of(operationKey(operation)) >= this.limits.perTool;
  }

  enter(work: Work): void {
    this.#running.add(work);
  }

  /** The call is answered, and its work runs on. */
  abandon(work: Work): void {
    if (this.#abandoned.has(work)) return;
    this.#running.add(work);
    this.#abandoned.add(work);
    this.#count(work, 1);
  }

  leave(work: Work): void {
    if (!this.#running.delete(work)) return;
    if (!this.#abandoned.delete(work)) return;
    this.#count(work, -1);
    if (this.#abandoned.size === 0) for (const resolve of this.#settled.splice(0)) resolve();
  }

  /** Resolves when no abandoned work is left. It may never be: race it against a time. */
  whenSettled(): Promise<void> {
    if (this.#abandoned.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  /** By operation, those with most calls first. */
  report(): RunningOperation[] {
    const byName = new Map<string, { -readonly [K in keyof RunningOperation]: RunningOperation[K] }>();
    for (const work of this.#running) {
      const { kind } = work.operation;
      const name = addressOf(work.operation);
      const key = operationKey(work.operation);
      const known = byName.get(key) ?? { kind, name, running: 0, abandoned: 0 };
      known.running++;
      if (this.#abandoned.has(work)) known.abandoned++;
      byName.set(key, known);
    }
    return [...byName.values()].sort((one, other) => other.running - one.running);
  }

  #count({ operation, request }: Work, change: 1 | -1): void {
    this.#tallyOf(request).count(operationKey(operation), change);
  }

  #tallyOf({ principal }: Work['request']): Tally {
    return principal ? this.#ofPrincipals : this.#ofAnonymous;
  }
}

class Tally {
  total = 0;
  readonly #byKey = new Map<string, number>();

  of(key: string): number {
    return this.#byKey.get(key) ?? 0;
  }

  count(key: string, change: 1 | -1): void {
    this.total += change;
    const left = this.of(key) + change;
    if (left > 0) this.#byKey.set(key, left);
    else this.#byKey.delete(key);
  }
}
