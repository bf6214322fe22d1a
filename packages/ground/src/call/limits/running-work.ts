import type { RequestContext } from '../../base/request-context.js';
import { addressOf, callerKey, candidateKey, operationKey } from '../operation/keys.js';
import type { BoundOperation } from '../operation/operation.js';

/** How much work may run on after its calls were answered. */
export interface AbandonedWorkLimits {
  /** The limit for each operation. One caller may have an eighth of it in validators that hang. */
  perTool: number;
  /** The limit for the whole server. */
  total: number;
}

/** The running calls of one operation. */
export interface RunningOperation {
  readonly kind: BoundOperation['kind'];
  /** The operation's name; for a resource, its URI. */
  readonly name: string;
  /** How many calls have not ended, abandoned ones included. */
  readonly running: number;
  /** How many calls were answered at their deadline, or cancelled, while their work runs on. */
  readonly abandoned: number;
}

interface Work {
  readonly operation: BoundOperation;
  readonly request: Pick<RequestContext, 'principal' | 'task'> & { readonly ip?: string | undefined };
  /** Whether it waits for a person, and no other process could go on with it. */
  readonly isHeld?: boolean;
  /** Set by `RunningWork`, from the begin of the work to its end. */
  place?: ListPlace<Running> | undefined;
}

/** Work that has not ended, and what may end its call before. */
interface Running {
  readonly work: Work;
  readonly race: Stoppable;
}

/** The part of a call that operators see. */
export interface WorkingCall extends Work {
  readonly request: RequestContext;
  /** Whether it waits for a slot and has not begun to work. */
  readonly isQueued: boolean;
  /** Present while somebody listens to calls: the number of the call in traces, and when it began. */
  readonly recorder?: { readonly number: number; readonly at: number };
}

/** Why a call is stopped. */
export type StopCause = 'operator' | 'shutdown';

/** What an operator may do with a call while somebody waits for its answer. */
export interface Stoppable {
  /** When its deadline began to run, in milliseconds since the epoch. `undefined` when it has none. */
  readonly began: number | undefined;
  /** Ends the call: its client gets an answer that says so. @returns false when the call was answered already */
  stop(cause?: StopCause): boolean;
}

/** A call that has not ended, for operators. */
export interface OpenCall<W extends Work> extends Stoppable {
  readonly work: W;
  /** True when the call was answered while its work runs on. */
  readonly isAbandoned: boolean;
}

/** The work of a call that was answered already. There is no answer left to end. */
const UNSTOPPABLE: Stoppable = { began: undefined, stop: () => false };

/**
 * The calls whose work has not ended. No code can stop a method that ignores its abort signal. Its call is answered,
 * and its work runs on: the work is *abandoned*. Abandoned work keeps its slots and is counted here. It is limited,
 * because each piece of it holds memory and may hold connections. Principals and anonymous callers have separate
 * limits, so no principal is refused because of work that anonymous callers left behind. Calls that answer
 * synchronously never appear here.
 */
export class RunningWork<W extends Work = Work> {
  /** How many calls were answered while their work still runs. Every call reads this number, and it is usually 0. */
  abandoned = 0;
  readonly #running = new OpenList<Running>();
  #stop: BeginningStop | undefined;
  readonly #abandoned = new Set<Work>();
  #settled: (() => void)[] = [];
  readonly #ofPrincipals = new Tally();
  readonly #ofAnonymous = new Tally();
  /** The calls whose validators hang, with the caller of each. They hold no slot, so no limit of slots counts them. */
  readonly #hanging = new Map<Work, string>();
  readonly #ofCallers = new Tally();

  constructor(private readonly limits: AbandonedWorkLimits) {}

  /** True when the operation must refuse new calls, because too much abandoned work of such callers still runs. */
  isFull({ operation, request }: Work): boolean {
    const tally = this.#tallyOf(request);
    if (tally.total >= this.limits.total || tally.of(candidateKey(operation)) >= this.limits.perTool)
      return true;
    const perCaller = Math.max(1, Math.floor(this.limits.perTool / 8));
    return this.#hanging.size > 0 && this.#ofCallers.of(callerOf({ operation, request })) >= perCaller;
  }

  /** Records that the call has passed its deadline and given its slots back, while its validators still run. */
  hangs(work: W): void {
    if (!work.place || this.#hanging.has(work)) return;
    const caller = callerOf(work);
    this.#hanging.set(work, caller);
    this.#ofCallers.count(caller, 1);
  }

  /** @param race ends the call before its work ends */
  enter(work: W, race: Stoppable): void {
    if (work.place) this.#running.remove(work.place);
    work.place = this.#running.add({ work, race });
  }

  /** Records that the call was answered and that its work runs on. */
  abandon(work: W): void {
    if (this.#abandoned.has(work)) return;
    if (!work.place) this.enter(work, UNSTOPPABLE);
    this.#abandoned.add(work);
    this.#count(work, 1);
  }

  leave(work: W): void {
    if (!work.place) return;
    this.#running.remove(work.place);
    work.place = undefined;
    const caller = this.#hanging.get(work);
    if (caller !== undefined) {
      this.#hanging.delete(work);
      this.#ofCallers.count(caller, -1);
    }
    if (!this.#abandoned.delete(work)) return;
    this.#count(work, -1);
    if (this.abandoned === 0) for (const resolve of this.#settled.splice(0)) resolve();
  }

  /**
   * Whoever waits for a person gives the question back when the server stops. It is made for the first call that waits.
   * Most servers have none.
   */
  get stop(): BeginningStop {
    return (this.#stop ??= new BeginningStop());
  }

  /** The server stops, so no call waits for the answer of a person any longer. */
  giveQuestionsBack(): void {
    // The calls come first. Otherwise a method could go on with a question that has failed.
    for (const { work, race } of this.#running) if (work.isHeld) race.stop('shutdown');
    this.stop.begin();
  }

  /** Resolves when no abandoned work is left. This may never happen, so race it against a timer. */
  whenSettled(): Promise<void> {
    if (this.abandoned === 0) return Promise.resolve();
    return new Promise((resolve) => this.#settled.push(resolve));
  }

  /** The calls that have not ended, the oldest first. */
  *open(): Generator<OpenCall<W>> {
    for (const { work, race } of this.#running)
      yield {
        work: work as W,
        isAbandoned: this.#abandoned.has(work),
        began: race.began,
        stop: (cause) => work.place !== undefined && race.stop(cause),
      };
  }

  /** The running calls of each operation; the operation with the most calls comes first. */
  report(): RunningOperation[] {
    const byName = new Map<string, { -readonly [K in keyof RunningOperation]: RunningOperation[K] }>();
    for (const { work } of this.#running) {
      const { kind } = work.operation;
      const name = addressOf(work.operation);
      const key = operationKey(work.operation);
      const known = byName.get(key) ?? { kind, name, running: 0, abandoned: 0 };
      known.running++;
      if (this.#abandoned.has(work)) known.abandoned++;
      byName.set(key, known);
    }
    return [...byName.values()].sort((one, other) => other.running - one.running);
  }

  #count({ operation, request }: Work, change: 1 | -1): void {
    this.abandoned += change;
    this.#tallyOf(request).count(candidateKey(operation), change);
  }

  #tallyOf({ principal }: Work['request']): Tally {
    return principal ? this.#ofPrincipals : this.#ofAnonymous;
  }
}

function callerOf({ operation, request: { principal, ip } }: Work): string {
  return `${candidateKey(operation)} ${callerKey({ principal, ip }, true)}`;
}

class Tally {
  total = 0;
  readonly #byKey = new Map<string, number>();

  of(key: string): number {
    return this.#byKey.get(key) ?? 0;
  }

  count(key: string, change: 1 | -1): void {
    this.total += change;
    const left = this.of(key) + change;
    if (left > 0) this.#byKey.set(key, left);
    else this.#byKey.delete(key);
  }
}

/** A place in an open list. It knows its neighbours only while it is in the list. */
export interface ListPlace<T> {
  readonly of: T;
  before: ListPlace<T> | undefined;
  after: ListPlace<T> | undefined;
  isTaken: boolean;
}

/**
 * What is open at the moment, the oldest first. Its members come and go with each call, so it is a linked list and no
 * `Map`: a Map makes a new table now and then, and the table before refers to the new one. When a full collection of V8
 * has moved one of these tables into the old generation, all later ones follow it there and stay until the next full
 * collection, which comes the sooner. With a Map, a call left 250 to 750 bytes behind (ADR 301).
 */
export class OpenList<T> {
  #first: ListPlace<T> | undefined;
  #last: ListPlace<T> | undefined;

  /** @returns the place of the new member, with which it leaves */
  add(of: T): ListPlace<T> {
    const place: ListPlace<T> = { of, before: this.#last, after: undefined, isTaken: true };
    if (this.#last) this.#last.after = place;
    else this.#first = place;
    this.#last = place;
    return place;
  }

  /** @returns false if the member has left before */
  remove(place: ListPlace<T>): boolean {
    if (!place.isTaken) return false;
    const { before, after } = place;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    place.before = place.after = undefined;
    place.isTaken = false;
    return true;
  }

  /** The members at the beginning of the loop; a member that leaves during it is passed over. */
  *[Symbol.iterator](): Generator<T> {
    const places: ListPlace<T>[] = [];
    for (let place = this.#first; place; place = place.after) places.push(place);
    for (const place of places) if (place.isTaken) yield place.of;
  }
}

/**
 * Tells whoever waits for a person that the server stops. It is not an `AbortSignal`, because many may wait, and Node warns
 * of a signal with more than ten listeners.
 */
export interface ServerStop {
  /** True as soon as the server stops. */
  readonly hasBegun: boolean;
  /** Calls `wake` once when the server begins to stop. @returns what ends the watching */
  watch(wake: () => void): () => void;
}

/** The stop of one server. */
export class BeginningStop implements ServerStop {
  readonly #watching = new Set<() => void>();
  hasBegun = false;

  watch(wake: () => void): () => void {
    this.#watching.add(wake);
    return () => void this.#watching.delete(wake);
  }

  begin(): void {
    this.hasBegun = true;
    const watching = [...this.#watching];
    this.#watching.clear();
    for (const wake of watching) wake();
  }
}
