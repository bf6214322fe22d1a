import {
  type Clock,
  type RateLimitDecision,
  type RateLimiter,
  type RateLimitRule,
  monotonic,
} from '@toolwright/core/ports';
import { PATIENCE_MS, type PointsAnswer, type WindowName, finite } from '../link/messages.js';
import { Windows, type RuleWindows } from '../link/windows.js';
import type { PrimaryLink } from './primary-link.js';

/** What this worker knows of a window. */
interface KnownWindow {
  readonly since: number;
  /** What the primary process knows it by. The clocks of two processes begin at different moments. */
  readonly name: number;
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
  /** The same, by the object of the rule. All calls of a tool use the same object. */
  #windowsByObject = new WeakMap<RateLimitRule, RuleWindows<KnownWindow>>();

  constructor(
    private readonly link: PrimaryLink,
    private readonly clock: Clock,
  ) {
    // A rule whose windows are forgotten must find the new ones.
    this.#windows.onForget = () => void (this.#windowsByObject = new WeakMap());
    link.on('giveBack', (name, since) => this.#giveBack(name, since));
  }

  consume(key: string, cost: number, rule: RateLimitRule): RateLimitDecision | Promise<RateLimitDecision> {
    const now = monotonic(this.clock);
    const known = this.#windowsOf(rule, now).find(key, now);
    if (known && cost <= known.granted) {
      known.granted -= cost;
      known.remaining -= cost;
      return decide(true, known, { rule, now });
    }
    if (known && cost > known.most) return decide(false, known, { rule, now });
    const back = known?.granted ?? 0;
    if (known) known.granted = 0;
    const name = nameOf(rule, key);
    return this.link.ask(['points', name, cost, known?.name ?? 0, back], (answer: PointsAnswer) =>
      decide(answer.allowed, this.#note(name, answer, now), { rule, now }),
    );
  }

  #windowsOf(rule: RateLimitRule, now: number): RuleWindows<KnownWindow> {
    const known = this.#windowsByObject.get(rule);
    if (known) return known;
    const windows = this.#windows.of(nameOf(rule, ''), now);
    this.#windowsByObject.set(rule, windows);
    return windows;
  }

  /** @param asked when the primary process was asked: the window must not last longer here than there */
  #note(window: WindowName, answer: PointsAnswer, asked: number): KnownWindow {
    const { since: name, ageMs, granted, remaining, isFinal } = answer;
    const [, , key] = window;
    const windows = this.#windows.of(window, asked);
    const known = windows.find(key, asked);
    const most = isFinal ? remaining : Infinity;
    if (known?.name !== name) {
      const fresh = { since: asked - ageMs, name, granted, remaining, most };
      return granted > 0 || isFinal ? windows.set(key, fresh, asked) : fresh;
    }
    known.granted += granted;
    known.remaining = remaining;
    known.most = Math.min(known.most, most);
    return known;
  }

  #giveBack(name: WindowName, since: number): void {
    const now = monotonic(this.clock);
    const known = this.#windows.of(name, now).find(name[2], now);
    const isSame = known?.name === since;
    this.link.post(['returned', name, since, isSame ? known.granted : 0]);
    if (isSame) known.granted = 0;
  }
}

function nameOf({ points, perMs }: RateLimitRule, key: string): WindowName {
  return [finite(points), finite(perMs), key];
}

function decide(
  allowed: boolean,
  { since, remaining }: KnownWindow,
  { rule, now }: { rule: RateLimitRule; now: number },
): RateLimitDecision {
  return { allowed, remaining, retryAfterMs: Math.max(1, since + rule.perMs - now) };
}
