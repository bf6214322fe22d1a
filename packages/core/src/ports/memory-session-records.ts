import type { Clock } from './clock.js';
import type { SessionRecord, SessionRecords } from './session-records.js';

/** Keeps the records of this process. When there are too many, the oldest one is removed. */
export class MemorySessionRecords implements SessionRecords {
  readonly #kept = new Map<string, { record: SessionRecord; until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly max = 10_000,
  ) {}

  get(key: string): SessionRecord | undefined {
    const found = this.#kept.get(key);
    return found && found.until > this.clock.now() ? found.record : undefined;
  }

  set(key: string, record: SessionRecord, ttlMs: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { record, until: this.clock.now() + ttlMs });
    if (this.#kept.size > this.max) this.#kept.delete(this.#kept.keys().next().value!);
  }

  delete(key: string): void {
    this.#kept.delete(key);
  }
}
