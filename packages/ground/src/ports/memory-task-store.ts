import { type OptionSchema, parseOptions } from '../base/options/option-schema.js';
import { count } from '../base/options/rules.js';
import { type Clock, monotonic } from './clock-and-ids.js';
import type {
  NewTask,
  TaskAdmin,
  TaskEnding,
  TaskPage,
  TaskQuestion,
  TaskRecord,
  TaskStore,
} from './task-store.js';

export interface MemoryTaskStoreOptions {
  /**
   * How many tasks one owner may have at a time, ended ones included. All anonymous callers together are one
   * owner. Default 1,000.
   */
  maxPerOwner?: number;
  /**
   * How many tasks all principals together may have. Tasks of anonymous callers do not count here. Default
   * 10,000.
   */
  max?: number;
}

const options = {
  maxPerOwner: { ...count, default: 1_000 },
  max: { ...count, default: 10_000 },
} satisfies OptionSchema<MemoryTaskStoreOptions>;

const PAGE = 100;

/**
 * Keeps the tasks of this process. When it is full, it refuses new tasks, because clients may still ask for the
 * existing ones.
 */
export class MemoryTaskStore implements TaskStore {
  /**
   * When each task expires is on the monotonic clock. The numbers are in the order of their beginnings: pages of lists
   * begin at a number.
   */
  readonly #kept = new Map<string, { task: TaskRecord; readonly expiry: number; readonly number: number }>();
  #last = 0;
  /** How many tasks each owner has. */
  readonly #owned = new Map<string, number>();
  /** No task expires before this moment, on the monotonic clock. */
  #nextExpiry = Infinity;
  readonly #maxPerOwner: number;
  readonly #max: number;

  constructor(
    private readonly clock: Clock,
    given: MemoryTaskStoreOptions = {},
  ) {
    const { maxPerOwner, max } = parseOptions('MemoryTaskStore', options, given);
    this.#maxPerOwner = maxPerOwner;
    this.#max = max;
  }

  create(task: NewTask): TaskRecord | undefined {
    this.#dropExpired();
    return this.#hasRoomFor(task.owner) ? this.add(task) : undefined;
  }

  /** Creates a task of the server itself, to which no limit applies. */
  add(task: NewTask): TaskRecord {
    const now = this.clock.now();
    const created: TaskRecord = {
      ...task,
      status: 'working',
      createdAt: now,
      updatedAt: now,
      questions: {},
      answers: {},
    };
    this.#count(task.owner, 1);
    const expiry = task.ttlMs === null ? Infinity : monotonic(this.clock) + task.ttlMs;
    this.#kept.set(task.id, { task: created, expiry, number: ++this.#last });
    this.#nextExpiry = Math.min(this.#nextExpiry, expiry);
    return created;
  }

  get(id: string): TaskRecord | undefined {
    if (this.left(id) <= 0) this.remove(id);
    return this.#kept.get(id)?.task;
  }

  /** How long a task is still kept, in milliseconds. */
  left(id: string): number {
    return (this.#kept.get(id)?.expiry ?? 0) - monotonic(this.clock);
  }

  list(owner: string, cursor = '0'): TaskPage | undefined {
    if (!/^\d{1,15}$/.test(cursor)) return undefined;
    const from = Number(cursor);
    const now = monotonic(this.clock);
    const own = [...this.#kept.values()].filter(
      ({ task, expiry, number }) => task.owner === owner && expiry > now && number > from,
    );
    const page = own.slice(0, PAGE);
    const next = own.length > PAGE ? String(page.at(-1)!.number) : undefined;
    return { tasks: page.map(({ task }) => task), next };
  }

  note(id: string, statusMessage: string): boolean {
    return this.#change(id, () => ({ statusMessage }));
  }

  ask(id: string, key: string, question: TaskQuestion): boolean {
    return this.#change(id, ({ questions }) => ({
      status: 'input_required',
      questions: { ...questions, [key]: question },
    }));
  }

  answer(id: string, answers: Readonly<Record<string, unknown>>): boolean {
    return this.#change(id, (task) => {
      const open = Object.entries(task.questions);
      const left = open.filter(([key]) => !Object.hasOwn(answers, key));
      if (left.length === open.length) return undefined;
      const taken = open.filter(([key]) => Object.hasOwn(answers, key)).map(([key]) => [key, answers[key]]);
      return {
        status: left.length > 0 ? 'input_required' : 'working',
        questions: Object.fromEntries(left),
        answers: { ...task.answers, ...Object.fromEntries(taken) },
      };
    });
  }

  end(id: string, ending: TaskEnding): boolean {
    return this.#change(id, () => ({ status: ending.status, ending, questions: {}, answers: {} }));
  }

  admin(): TaskAdmin {
    return {
      list: (limit) => {
        this.#dropExpired();
        const newest = [...this.#kept.values()].slice(-limit).reverse();
        return newest.map(({ task: { questions: _, answers: __, ending: ___, ...summary } }) => summary);
      },
    };
  }

  #change(id: string, change: (task: TaskRecord) => Partial<TaskRecord> | undefined): boolean {
    const task = this.get(id);
    const changed = task && !task.ending && change(task);
    if (!changed) return false;
    this.#kept.get(id)!.task = { ...task, ...changed, updatedAt: this.clock.now() };
    return true;
  }

  #hasRoomFor(owner: string): boolean {
    if (this.#ownedBy(owner) >= this.#maxPerOwner) return false;
    return owner === '' || this.#kept.size - this.#ownedBy('') < this.#max;
  }

  #ownedBy(owner: string): number {
    return this.#owned.get(owner) ?? 0;
  }

  #count(owner: string, more: number): void {
    const owned = this.#ownedBy(owner) + more;
    if (owned === 0) this.#owned.delete(owner);
    else this.#owned.set(owner, owned);
  }

  #dropExpired(): void {
    if (monotonic(this.clock) < this.#nextExpiry) return;
    for (const id of [...this.#kept.keys()]) if (this.left(id) <= 0) this.remove(id);
    this.#nextExpiry = Infinity;
    for (const { expiry } of this.#kept.values()) this.#nextExpiry = Math.min(this.#nextExpiry, expiry);
  }

  /** Forgets a task. */
  remove(id: string): void {
    const kept = this.#kept.get(id);
    if (!kept) return;
    this.#count(kept.task.owner, -1);
    this.#kept.delete(id);
  }
}
