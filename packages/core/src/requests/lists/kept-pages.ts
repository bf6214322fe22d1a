/** What the pages of all lists may take, in bytes. Lists are far smaller, unless many callers see different ones. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Pages as they were written. Over the limit, the oldest pages are forgotten, and written again when they are needed. */
export class KeptPages {
  readonly #texts = new Map<string, string>();
  #bytes = 0;

  get(at: string): string | undefined {
    return this.#texts.get(at);
  }

  keep(at: string, text: string): void {
    this.#texts.set(at, text);
    this.#bytes += bytesOf(text);
    for (const [first, written] of this.#texts) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#texts.delete(first);
      this.#bytes -= bytesOf(written);
    }
  }

  clear(): void {
    this.#texts.clear();
    this.#bytes = 0;
  }
}

/** A character that is not Latin makes a text take two bytes for each. */
const bytesOf = (text: string): number => text.length * 2;
