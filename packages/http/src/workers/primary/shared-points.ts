import { type Clock, monotonic } from '@toolwright/core/ports';
import type { PointsAnswer, WindowName } from '../link/messages.js';
import { Windows } from '../link/windows.js';

/** How many milliseconds workers may take to give points back. A call waits for its limit a second at most. */
const BACK_MS = 500;
/** A grant is a quarter of the even share of one worker. So most points stay for the others, and grants get smaller to the end. */
const SHARE_OF_GRANT = 4;

/** A worker, as the points see it. */
export interface PointsHolder {
  giveBack(window: WindowName, since: number): void;
}

/** What is used of a rule by a key. What was granted to workers counts as used. */
interface SharedWindow {
  readonly since: number;
  used: number;
  /** Who may have granted points. */
  holders?: Set<PointsHolder> | undefined;
  /** What waits until all holders have given back what they have. */
  recall?: { readonly missing: Set<PointsHolder>; readonly waiting: (() => void)[]; cancel(): void };
  /** True when a holder has not answered in time: it may still give points back. */
  isOwed: boolean;
}

export interface PointsRequest {
  readonly window: WindowName;
  readonly cost: number;
  /** The window in which the worker has points that it does not need, and how many. */
  readonly since: number;
  readonly back: number;
}

/**
 * Counts the points of all workers, in the windows of `MemoryRateLimiter`. A worker that asks also gets a grant:
 * points that it may use without asking again. Before a call is refused, all grants of the window are taken back, so
 * the count is exact.
 */
export class SharedPoints {
  readonly #windows = new Windows<SharedWindow>();

  /** @param workers how many may ask */
  constructor(
    private readonly clock: Clock,
    private readonly workers: number,
  ) {}

  take(holder: PointsHolder, request: PointsRequest, answer: (answer: PointsAnswer) => void): void {
    const { window: name, cost, since, back } = request;
    const window = this.#open(name);
    const { recall } = window;
    if (back > 0 && since === window.since) window.used -= back;
    if (recall) recall.waiting.push(() => this.take(holder, { ...request, back: 0 }, answer));
    else if (window.used + cost <= name[0]) answer(this.#grant(window, { holder, cost, points: name[0] }));
    else if (window.holders && cost <= name[0])
      this.#recall(name, window, () => this.take(holder, { ...request, back: 0 }, answer));
    else answer({ ...this.#stateOf(window, name[0]), allowed: false, granted: 0, isFinal: !window.isOwed });
  }

  /** A worker has given back its grant. */
  returned(holder: PointsHolder, { window: name, since, back }: Omit<PointsRequest, 'cost'>): void {
    const now = monotonic(this.clock);
    const window = this.#windows.of(name, now).find(name[2], now);
    if (!window || window.since !== since) return;
    window.used -= back;
    this.#heard(window, holder);
  }

  /** A worker has ended. Its grant may be used up, so no other worker gets it. */
  left(holder: PointsHolder): void {
    for (const window of this.#windows.all()) {
      window.holders?.delete(holder);
      this.#heard(window, holder);
    }
  }

  #open(name: WindowName): SharedWindow {
    const now = monotonic(this.clock);
    const windows = this.#windows.of(name, now);
    const [, , key] = name;
    return windows.find(key, now) ?? windows.set(key, { since: now, used: 0, isOwed: false }, now);
  }

  #grant(
    window: SharedWindow,
    { holder, cost, points }: { holder: PointsHolder; cost: number; points: number },
  ): PointsAnswer {
    const isFirst = window.used === 0;
    window.used += cost;
    const state = this.#stateOf(window, points);
    // Who calls once needs no grant, and nobody has to remember it.
    const granted = isFirst ? 0 : Math.floor(state.remaining / (SHARE_OF_GRANT * this.workers));
    window.used += granted;
    if (granted > 0) (window.holders ??= new Set()).add(holder);
    return { ...state, allowed: true, granted, isFinal: false };
  }

  #recall(name: WindowName, window: SharedWindow, then: () => void): void {
    const missing = window.holders ?? new Set();
    window.holders = undefined;
    const late = () => {
      window.isOwed = true;
      this.#settle(window);
    };
    window.recall = { missing, waiting: [then], cancel: this.clock.after(BACK_MS, late) };
    if (missing.size === 0) return this.#settle(window);
    for (const holder of missing) holder.giveBack(name, window.since);
  }

  #heard(window: SharedWindow, holder: PointsHolder): void {
    const { recall } = window;
    if (recall?.missing.delete(holder) && recall.missing.size === 0) this.#settle(window);
  }

  #settle(window: SharedWindow): void {
    const { recall } = window;
    delete window.recall;
    recall?.cancel();
    for (const take of recall?.waiting ?? []) take();
  }

  #stateOf({ since, used }: SharedWindow, points: number) {
    return { since, ageMs: monotonic(this.clock) - since, remaining: points - used };
  }
}
