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

/** How many questions are opened before other work has its turn: ten thousand take most of a second. */
const AT_A_TIME = 100;

/** How often one change is tried again, because others change the question at the same time. */
const MOST_TRIES = 40;

/** What a change makes of a question: some of its fields, and its status. */
export type QuestionChange<R extends QuestionRecord> = Partial<R> & Pick<R, 'status'>;

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
   * Changes a question that has a status. Of two who take it to another status at the same time, one succeeds. One who leaves
   * it at its status is tried again on what the other has made of it.
   *
   * @param change a function gets what is there, and returns `undefined` to leave it
   * @returns the changed record; `undefined` when the question has another status, or is over
   */
  async change(
    id: string,
    from: R['status'],
    change: QuestionChange<R> | ((record: R) => QuestionChange<R> | undefined),
  ): Promise<R | undefined> {
    return this.#change(id, (record) => {
      if (record.status !== from || record.expires <= this.clock.now()) return undefined;
      return typeof change === 'function' ? change(record) : change;
    });
  }

  /** Says of an open question that its time is over. @returns the changed record; `undefined` when it is not so */
  async expire(id: string, change: QuestionChange<R>): Promise<R | undefined> {
    return this.#change(id, (record) =>
      record.status === 'open' && record.expires <= this.clock.now() ? change : undefined,
    );
  }

  /** All that can be answered, each with its id. */
  async listOpen(): Promise<(readonly [id: string, record: R])[]> {
    const now = this.clock.now();
    const open: (readonly [string, R])[] = [];
    const kept = await this.store.list(this.settings.room);
    for (const [at, [id, text]] of kept.entries()) {
      const record = this.#seal.open(text, id) as R | undefined;
      if (record?.status === 'open' && record.expires > now) open.push([id, record]);
      if (at % AT_A_TIME === AT_A_TIME - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return open;
  }

  async #change(id: string, change: (record: R) => QuestionChange<R> | undefined): Promise<R | undefined> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const found = await this.#read(id);
      const wanted = found && change(found.record);
      if (!wanted) return undefined;
      const changed: R = { ...found.record, ...wanted };
      const text = this.#seal.seal(changed, id);
      const write = { was: found.text, ttlMs: this.#ttl(changed) };
      if (!(await this.store.put(this.settings.room, id, text, write))) continue;
      this.#waiting.get(id)?.forEach((wake) => wake());
      return changed;
    }
    throw new Error('A question is changed all the time, so this answer could not be kept.');
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
