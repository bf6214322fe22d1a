import { randomBytes } from 'node:crypto';
import { Seal } from '@toolwright/core/extend';
import type { Clock, RecordStore } from '@toolwright/core/ports';

/** What every question to a person on a page has. */
export interface QuestionRecord {
  readonly status: string;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

export interface QuestionRoom {
  /** The room of the record store. */
  readonly room: string;
  /** The purpose of the seal. */
  readonly purpose: string;
}

/** How long a record outlives its question, so that the page can say how it ended, in milliseconds. */
const AFTER_MS = 60_000;

/** The questions of one kind, of all processes. They are sealed where they are kept. */
export class QuestionRecords<R extends QuestionRecord> {
  readonly #seal: Seal;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(
    private readonly store: RecordStore,
    private readonly clock: Clock,
    secrets: readonly string[],
    private readonly settings: QuestionRoom,
  ) {
    this.#seal = new Seal(secrets, settings.purpose);
  }

  /** @returns the id, which nobody can guess */
  async open(record: Omit<R, 'status'>): Promise<string> {
    const id = randomBytes(18).toString('base64url');
    const text = this.#seal.seal({ ...record, status: 'open' }, id);
    const ttlMs = this.#ttl(record as unknown as R);
    if (await this.store.put(this.settings.room, id, text, { was: undefined, ttlMs })) return id;
    throw new Error('Two questions have the same random id.');
  }

  /** `undefined` for an unknown id, and for a question that is long over. */
  async find(id: string): Promise<R | undefined> {
    return (await this.#read(id))?.record;
  }

  /** True when nobody can answer it any more. */
  async isOver(id: string): Promise<boolean> {
    const record = await this.find(id);
    return record?.status !== 'open' || record.expires <= this.clock.now();
  }

  /**
   * Takes a question from one status to the next. Of two who try at the same time, one succeeds.
   *
   * @returns the changed record; `undefined` when the question has another status, or is over
   */
  async change(
    id: string,
    from: R['status'],
    change: Partial<R> & Pick<R, 'status'>,
  ): Promise<R | undefined> {
    const found = await this.#read(id);
    if (!found || found.record.status !== from || found.record.expires <= this.clock.now()) return undefined;
    const changed: R = { ...found.record, ...change };
    const text = this.#seal.seal(changed, id);
    const write = { was: found.text, ttlMs: this.#ttl(changed) };
    if (!(await this.store.put(this.settings.room, id, text, write))) return undefined;
    this.#waiting.get(id)?.forEach((wake) => wake());
    return changed;
  }

  /** Calls `wake` when this process has changed the question. Other processes have to be asked. */
  watch(id: string, wake: () => void): () => void {
    const all = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, all.add(wake));
    return () => {
      all.delete(wake);
      if (all.size === 0) this.#waiting.delete(id);
    };
  }

  async #read(id: string): Promise<{ record: R; text: string } | undefined> {
    const text = await this.store.get(this.settings.room, id);
    const record = text === undefined ? undefined : (this.#seal.open(text, id) as R | undefined);
    return record && { record, text: text! };
  }

  #ttl({ expires }: QuestionRecord): number {
    return Math.max(0, expires - this.clock.now()) + AFTER_MS;
  }
}
