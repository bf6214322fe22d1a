import type { Clock } from '@toolwright/core/ports';

/** How many questions of one caller may be open at a time in this process. */
export const MOST_OPEN = 20;

/** A call that ended between two rounds never says so. Its question is forgotten after ten minutes. */
const FORGOTTEN_MS = 600_000;

/** Who is asked. */
interface Asked {
  readonly issuer?: string;
  readonly subject: string;
  readonly tenant?: string;
}

/** Counts the open questions of each caller, so that nobody fills the store. */
export class QuestionQuota {
  readonly #open = new Map<string, number[]>();

  constructor(private readonly clock: Clock) {}

  /** @returns false when the caller has too many */
  add(asked: Asked): boolean {
    const key = keyOf(asked);
    const now = this.clock.now();
    const open = (this.#open.get(key) ?? []).filter((opened) => opened > now - FORGOTTEN_MS);
    if (open.length >= MOST_OPEN) return false;
    this.#open.set(key, [...open, now]);
    return true;
  }

  /**
   * Gives the place of a question back when its call has the answer, or was given up: nothing follows then. Another round may
   * follow one that only ends.
   */
  async during<T>(asked: Asked, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.remove(asked);
      return answer;
    } catch (error) {
      if (signal.aborted) this.remove(asked);
      throw error;
    }
  }

  remove(asked: Asked): void {
    const key = keyOf(asked);
    const [, ...rest] = this.#open.get(key) ?? [];
    if (rest.length > 0) this.#open.set(key, rest);
    else this.#open.delete(key);
  }
}

const keyOf = ({ issuer = '', subject, tenant = '' }: Asked) => JSON.stringify([issuer, subject, tenant]);
