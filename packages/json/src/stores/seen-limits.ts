/** What a key has used of a rule. */
interface UsedLimit {
  readonly key: string;
  readonly rule: { readonly points: number; readonly perMs: number };
  readonly used: number;
}

/** The time that nobody sets, and what the time of day is then. */
export interface TwoTimes {
  monotonic(): number;
  wallTime(monotonic: number): number;
}

/** As many limits are remembered for operators. The oldest is forgotten first. */
const MOST_REMEMBERED = 10_000;

interface SeenUse extends UsedLimit {
  /** When the window ends, on the monotonic clock. */
  readonly endsAt: number;
}

/** What a shared store has said last of each limit that this process has asked about. The store itself knows only digests. */
export class SeenLimits {
  readonly #last = new Map<string, SeenUse>();

  constructor(private readonly time: TwoTimes) {}

  /** @param leftMs how long the window still lasts */
  remember(window: string, use: UsedLimit, leftMs: number): void {
    this.#last.delete(window);
    this.#last.set(window, { ...use, endsAt: this.time.monotonic() + leftMs });
    if (this.#last.size > MOST_REMEMBERED) this.#last.delete(this.#last.keys().next().value!);
  }

  forget(window: string): void {
    this.#last.delete(window);
  }

  /** The limits that this process has asked about and that are not over, with the points of all processes. */
  *uses(): Generator<UsedLimit & { resetsAt: number }> {
    const now = this.time.monotonic();
    for (const [window, { endsAt, ...use }] of this.#last)
      if (endsAt <= now) this.#last.delete(window);
      else if (use.used > 0) yield { ...use, resetsAt: this.time.wallTime(endsAt) };
  }
}
