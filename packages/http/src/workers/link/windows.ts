import type { WindowName } from './messages.js';

/** A window of a rate limit. It lasts as long as its rule says. */
export interface Timed {
  /** When it began, on the monotonic clock of this process. */
  readonly since: number;
}

/** The open windows of one rule, by key. */
export class RuleWindows<W extends Timed> {
  /** All of them last equally long, so those at the front end first. */
  readonly #windows = new Map<string, W>();

  constructor(private readonly perMs: number) {}

  /** The window, if it is open. */
  find(key: string, now: number): W | undefined {
    const found = this.#windows.get(key);
    return found && this.#isOpen(found, now) ? found : undefined;
  }

  set(key: string, window: W, now: number): W {
    this.#forgetEnded(now);
    // Those at the front began first, so they end first.
    for (const [oldest] of this.#windows) {
      if (this.#windows.size < MOST_KEYS) break;
      this.#windows.delete(oldest);
    }
    this.#windows.delete(key);
    this.#windows.set(key, window);
    return window;
  }

  all(): Iterable<W> {
    return this.#windows.values();
  }

  /** Whether a window is open. */
  isUsed(now: number): boolean {
    this.#forgetEnded(now);
    return this.#windows.size > 0;
  }

  #isOpen({ since }: Timed, now: number): boolean {
    return now < since + this.perMs;
  }

  /** Callers can make up keys, so ended windows must not pile up. */
  #forgetEnded(now: number): void {
    for (const [key, window] of this.#windows) {
      if (this.#isOpen(window, now)) return;
      this.#windows.delete(key);
    }
  }
}

/** As in the limiter of one process: strangers make up keys. */
const MOST_KEYS = 100_000;

/** Above this number, rules without an open window are forgotten. A function may return other points for each caller. */
const MOST_RULES = 1_000;

/** The open windows of all rules. */
export class Windows<W extends Timed> {
  readonly #rules = new Map<string, RuleWindows<W>>();
  #forgetAt = MOST_RULES;

  /** The windows of a rule. They stay the same object until `onForget`. */
  of([points, perMs]: WindowName, now: number): RuleWindows<W> {
    const rule = `${points}/${perMs}`;
    const known = this.#rules.get(rule);
    if (known) return known;
    if (this.#rules.size >= this.#forgetAt) this.#forgetUnused(now);
    const windows = new RuleWindows<W>(perMs);
    this.#rules.set(rule, windows);
    return windows;
  }

  /** Is called after rules were forgotten: who has kept their windows must ask for them again. */
  onForget: () => void = () => undefined;

  /** How many rules are known. */
  get size(): number {
    return this.#rules.size;
  }

  #forgetUnused(now: number): void {
    for (const [rule, windows] of this.#rules) if (!windows.isUsed(now)) this.#rules.delete(rule);
    // While many rules are used, not every new one may look through all of them.
    this.#forgetAt = Math.max(MOST_RULES, 2 * this.#rules.size);
    this.onForget();
  }

  *all(): Generator<W> {
    for (const windows of this.#rules.values()) yield* windows.all();
  }
}
