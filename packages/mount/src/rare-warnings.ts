import { type Clock, monotonic } from '@toolwright/core/ports';
import { BUDGET } from './budget.js';

/** Callers decide how often something fails for them. Each reason is said once in a while, and few reasons. */
export class RareWarnings {
  readonly #said = new Set<string>();
  #since = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** Whether an error is one to say now. */
  isDue(error: unknown): boolean {
    const now = monotonic(this.clock);
    if (now - this.#since >= BUDGET.warnings.spanMs) {
      this.#since = now;
      this.#said.clear();
    }
    const reason = reasonOf(error);
    if (this.#said.has(reason) || this.#said.size >= BUDGET.warnings.most) return false;
    this.#said.add(reason);
    return true;
  }
}

/** What an error and its causes say. */
function reasonOf(error: unknown): string {
  const said: string[] = [];
  for (let each = error; each instanceof Error && said.length < 8; each = each.cause) said.push(each.message);
  return said.join('\n');
}
