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
  readonly #tasks = new Map<string, TaskRecord>();
  /** When each task expires, on the monotonic clock. */
  readonly #expiries = new Map<string, number>();
  /** The number of each task, in the order of their beginnings. Pages of lists begin at a number. */
  readonly #numbers = new Map<string, number>();
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
    this.#tasks.set(task.id, created);
    this.#numbers.set(task.id, ++this.#last);
    this.#count(task.owner, 1);
    const expiry = task.ttlMs === null ? Infinity : monotonic(this.clock) + task.ttlMs;
    this.#expiries.set(task.id, expiry);
    this.#nextExpiry = Math.min(this.#nextExpiry, expiry);
    return created;
  }

  get(id: string): TaskRecord | undefined {
    const task = this.#tasks.get(id);
    if (task && this.#isExpired(id)) this.remove(id);
    else return task;
  }

  /** How long a task is still kept, in milliseconds. */
  left(id: string): number {
    return (this.#expiries.get(id) ?? 0) - monotonic(this.clock);
  }

  list(owner: string, cursor = '0'): TaskPage | undefined {
    if (!/^\d{1,15}$/.test(cursor)) return undefined;
    const from = Number(cursor);
    const own = [...this.#tasks.values()].filter(
      (task) => task.owner === owner && !this.#isExpired(task.id) && this.#numbers.get(task.id)! > from,
    );
    const tasks = own.slice(0, PAGE);
    const next = own.length > PAGE ? String(this.#numbers.get(tasks.at(-1)!.id)) : undefined;
    return { tasks, next };
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
    const summaryOf = ({ questions: _, answers: __, ending: ___, ...summary }: TaskRecord) => summary;
    return {
      list: (limit) => {
        this.#dropExpired();
        return [...this.#tasks.values()].slice(-limit).reverse().map(summaryOf);
      },
    };
  }

  #change(id: string, change: (task: TaskRecord) => Partial<TaskRecord> | undefined): boolean {
    const task = this.get(id);
    const changed = task && !task.ending && change(task);
    if (!changed) return false;
    this.#tasks.set(id, { ...task, ...changed, updatedAt: this.clock.now() });
    return true;
  }

  #hasRoomFor(owner: string): boolean {
    if (this.#ownedBy(owner) >= this.#maxPerOwner) return false;
    return owner === '' || this.#tasks.size - this.#ownedBy('') < this.#max;
  }

  #ownedBy(owner: string): number {
    return this.#owned.get(owner) ?? 0;
  }

  #count(owner: string, more: number): void {
    const owned = this.#ownedBy(owner) + more;
    if (owned === 0) this.#owned.delete(owner);
    else this.#owned.set(owner, owned);
  }

  #isExpired(id: string): boolean {
    return this.left(id) <= 0;
  }

  #dropExpired(): void {
    if (monotonic(this.clock) < this.#nextExpiry) return;
    for (const id of [...this.#tasks.keys()]) if (this.#isExpired(id)) this.remove(id);
    this.#nextExpiry = Math.min(Infinity, ...this.#expiries.values());
  }

  /** Forgets a task. */
  remove(id: string): void {
    const task = this.#tasks.get(id);
    if (!task) return;
    this.#count(task.owner, -1);
    this.#tasks.delete(id);
    this.#numbers.delete(id);
    this.#expiries.delete(id);
  }
}
