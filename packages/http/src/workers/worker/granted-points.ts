import type { Clock, RateLimitDecision, RateLimiter, RateLimitRule } from '@toolwright/core';
import { finite } from '../link/finite.js';
import type { PointsAnswer, WindowName } from '../link/messages.js';
import { Windows } from '../link/windows.js';
import { PATIENCE_MS } from './patience.js';
import type { PrimaryLink } from './primary-link.js';

/** What this worker knows of a window. */
interface KnownWindow {
  readonly since: number;
  /** The points that it may use without asking. */
  granted: number;
  /** The points that were left when it last heard, less what it has used since. */
  remaining: number;
  /** More than these are left for nobody. */
  most: number;
}

/**
 * Counts points together with the other workers. While it has a grant, it answers at once; otherwise the primary
 * process does.
 */
export class GrantedPoints implements RateLimiter {
  readonly patienceMs = PATIENCE_MS;
  readonly #windows = new Windows<KnownWindow>();

  constructor(
    private readonly link: PrimaryLink,
    private readonly clock: Clock,
  ) {
    link.on('giveBack', (name, since) => this.#giveBack(name, since));
  }

  consume(key: string, cost: number, rule: RateLimitRule): RateLimitDecision | Promise<RateLimitDecision> {
    const name: WindowName = [finite(rule.points), finite(rule.perMs), key];
    const now = this.clock.now();
    const known = this.#windows.find(name, now);
    if (known && cost <= known.granted) {
      known.granted -= cost;
      known.remaining -= cost;
      return this.#decide(true, known, rule);
    }
    if (known && cost > known.most) return this.#decide(false, known, rule);
    const back = known?.granted ?? 0;
    if (known) known.granted = 0;
    return this.link.ask(['points', name, cost, known?.since ?? 0, back], (answer: PointsAnswer) =>
      this.#decide(answer.allowed, this.#note(name, answer), rule),
    );
  }

  #note(name: WindowName, { since, granted, remaining, isFinal }: PointsAnswer): KnownWindow {
    const now = this.clock.now();
    const known = this.#windows.find(name, now);
    const most = isFinal ? remaining : Infinity;
    if (known?.since !== since) {
      const fresh = { since, granted, remaining, most };
      return granted > 0 || isFinal ? this.#windows.set(name, fresh, now) : fresh;
    }
    known.granted += granted;
    known.remaining = remaining;
    known.most = Math.min(known.most, most);
    return known;
  }

  #decide(allowed: boolean, { since, remaining }: KnownWindow, { perMs }: RateLimitRule): RateLimitDecision {
    return { allowed, remaining, retryAfterMs: Math.max(1, since + perMs - this.clock.now()) };
  }

  #giveBack(name: WindowName, since: number): void {
    const known = this.#windows.find(name, this.clock.now());
    const isSame = known?.since === since;
    this.link.post(['returned', name, since, isSame ? known.granted : 0]);
    if (isSame) known.granted = 0;
  }
}
