import type { BoundOperation } from './operation.js';
import { addressOf, operationKey } from './operation-key.js';

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
}

/**
 * The calls whose work is not over. Nothing can stop a method that is deaf to its signal: its call is answered, its work
 * is then *abandoned* and runs on. Abandoned work keeps its slots, is counted here, and is bounded, since each piece of it
 * holds memory and may hold connections. Calls that answer synchronously are never in here.
 */
export class RunningWork {
  readonly #running = new Set<Work>();
  readonly #abandoned = new Set<Work>();
  readonly #abandonedOf = new Map<string, number>();

  constructor(private readonly limits: AbandonedWorkLimits) {}

  /** Calls that were answered and whose work runs on. */
  get abandoned(): number {
    return this.#abandoned.size;
  }

  /** True when so much abandoned work runs that the operation must take no more calls. */
  isFull(operation: BoundOperation): boolean {
    const { size } = this.#abandoned;
    if (size === 0) return false;
    return (
      size >= this.limits.total ||
      (this.#abandonedOf.get(operationKey(operation)) ?? 0) >= this.limits.perTool
    );
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
    if (this.#abandoned.delete(work)) this.#count(work, -1);
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

  #count({ operation }: Work, change: 1 | -1): void {
    const key = operationKey(operation);
    const left = (this.#abandonedOf.get(key) ?? 0) + change;
    if (left > 0) this.#abandonedOf.set(key, left);
    else this.#abandonedOf.delete(key);
  }
}
