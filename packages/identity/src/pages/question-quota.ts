import { type Clock, monotonic } from '@toolwright/core/ports';

/** How many questions of one caller may be open at a time in this process. */
export const MOST_OPEN = 20;

/** Who is asked. */
interface Asked {
  readonly issuer?: string;
  readonly subject: string;
  readonly tenant?: string;
}

interface Place {
  /** The question; `undefined` while it is being kept. */
  id?: string;
  /** When nobody can answer it any more, on the monotonic clock. */
  readonly until: number;
}

interface QuotaSettings {
  readonly clock: Clock;
  readonly lifetimeMs: number;
  readonly questions: { isOver(id: string): Promise<boolean> };
}

/** Counts the open questions that this process has asked of each caller, so that nobody fills the store. */
export class QuestionQuota {
  readonly #places = new Map<string, Set<Place>>();
  #swept = Number.NEGATIVE_INFINITY;

  constructor(private readonly settings: QuotaSettings) {}

  /**
   * Keeps a question, if the caller may have another one.
   *
   * @param keep keeps it, and returns its id
   * @returns the id; `undefined` when the caller has too many
   */
  async open(asked: Asked, keep: () => Promise<string>): Promise<string | undefined> {
    const key = keyOf(asked);
    this.#sweep();
    if (this.#countOf(key) >= MOST_OPEN) await this.#dropOver(key);
    if (this.#countOf(key) >= MOST_OPEN) return undefined;
    const place: Place = { until: monotonic(this.settings.clock) + this.settings.lifetimeMs };
    const places = this.#places.get(key) ?? new Set();
    this.#places.set(key, places.add(place));
    try {
      return (place.id = await keep());
    } catch (error) {
      places.delete(place);
      throw error;
    }
  }

  /** Gives the place of a question back. */
  close(asked: Asked, id: string): void {
    const key = keyOf(asked);
    const places = this.#places.get(key);
    for (const place of places ?? []) if (place.id === id) places!.delete(place);
    if (places?.size === 0) this.#places.delete(key);
  }

  #countOf(key: string): number {
    return this.#places.get(key)?.size ?? 0;
  }

  /** The answer may have come in another process, and a call that ends between two rounds says so nowhere. */
  async #dropOver(key: string): Promise<void> {
    const places = this.#places.get(key)!;
    await Promise.all(
      [...places].map(async (place) => {
        if (place.id !== undefined && (await this.settings.questions.isOver(place.id))) places.delete(place);
      }),
    );
  }

  /** Forgets what nobody can answer any more, also of callers who never come back. */
  #sweep(): void {
    const now = monotonic(this.settings.clock);
    if (now < this.#swept + this.settings.lifetimeMs) return;
    this.#swept = now;
    for (const [key, places] of this.#places) {
      for (const place of places) if (place.until <= now) places.delete(place);
      if (places.size === 0) this.#places.delete(key);
    }
  }
}

const keyOf = ({ issuer = '', subject, tenant = '' }: Asked) => JSON.stringify([issuer, subject, tenant]);
