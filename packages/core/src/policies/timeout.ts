import { isHarmlessTwice } from '@toolwright/ground/base/content';
import type { Duration } from '@toolwright/ground/base/options/option-schema';
import { parsePositiveDuration, sayDuration } from '@toolwright/ground/base/options/rules';
import type {
  Cancellable,
  CancellationObserver,
  RequestContext,
} from '@toolwright/ground/base/request-context';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { Environment } from '@toolwright/ground/call/environment';
import type { StopCause, Stoppable } from '@toolwright/ground/call/limits/running-work';
import type { AnyDraft } from '@toolwright/ground/call/operation/draft';
import type { Next } from '@toolwright/ground/call/operation/operation';
import { refuse, refuseOverload } from '@toolwright/ground/call/refuse';
import { monotonic, wallTime } from '@toolwright/ground/ports/clock-and-ids';
import { type MaybePromise, afterwards, isPromise } from '@toolwright/json';
import { beginsBeforeLimits, completionBeginsBeforeLimits } from './around.js';
import { definePolicy } from './define-policy.js';
import type { BuiltInGuard, PlanGuard, BuiltInStep } from './guard.js';

/**
 * Sets how long a call may work: more than 0; `false` or `Infinity` for no limit. Time spent waiting for a person does not count. At the
 * deadline, `ctx.signal` is aborted and the caller gets a result with `isError: true`, whether or not the
 * method stops.
 *
 * @example
 * @McpTool()
 * @Timeout('5s') async fetchPage(url: URL, signal: AbortSignal) { … }
 */
export const Timeout = definePolicy('timeout', {
  parse: (duration: Duration | false): number | false =>
    duration !== false && duration !== Infinity && parsePositiveDuration(duration),
});

type IsHere = (draft: AnyDraft, environment: Environment) => boolean;

const planDeadline =
  (isHere: IsHere): PlanGuard =>
  (draft, environment) =>
    isHere(draft, environment) ? deadlineOf(draft, environment) : undefined;

function deadlineOf(draft: AnyDraft, { timeoutMs, work }: Environment): BuiltInStep {
  const policy = Timeout.of(draft);
  const limit = policy ? policy.options || undefined : timeoutMs;
  return {
    origin: policy?.origin ?? 'default',
    detail: limit === undefined ? 'only the caller can end it' : sayDuration(limit),
    step(call, next) {
      if (wasCancelled(call.request)) return cancelled(call);
      if (work.abandoned > 0 && work.isFull(call)) refuseOverload(call);
      const running = toItsEnd(call, next);
      if (!isPromise(running)) return running;
      const { task } = call.request;
      // The default deadline protects callers that wait. The caller of a task does not wait.
      const race = new DeadlineTimer(call, !policy && task?.started ? undefined : limit, draft);
      work.enter(call, race);
      if (!policy) task?.onStart(() => race.stopClock());
      return race.run(running);
    },
  };
}

function wasCancelled(request: RequestContext): boolean {
  // Reading `signal` makes one. It is used only when there is no other way to ask.
  return (request.cancellation ?? request.signal).aborted;
}

/**
 * The whole work of a call. When this settles, everything that the work opened is closed, and its slots are
 * free.
 */
function toItsEnd(call: ActiveCall, next: Next<unknown>): MaybePromise<unknown> {
  return afterwards(next, () => call.settle());
}

/** The reason in the signal of a call that was ended. Work that does not listen to the signal goes on. */
const REASONS: Readonly<Record<StopCause, string>> = {
  operator: 'An operator ended the call.',
  shutdown: 'The server is stopping.',
};

/**
 * Ends a running call at its deadline, or when its caller cancels it, whichever comes first.
 *
 * It stores the functions of its promise, and not a function of its own: V8 creates a function that is written as the
 * value of a property in its old space, and everything that such a function refers to survives every minor collection.
 * All objects of a call did (ADR 258).
 */
class DeadlineTimer implements CancellationObserver, Stoppable {
  readonly #cancellable: Cancellable;
  #resolve!: (result: unknown) => void;
  #reject!: (error: unknown) => void;
  #stopClock: (() => void) | undefined;
  #startedAt = 0;
  #began: number | undefined;
  #isOver = false;
  #isTimed: boolean;
  #left: number;

  constructor(
    private readonly call: ActiveCall,
    private readonly limit: number | undefined,
    private readonly draft: AnyDraft,
  ) {
    this.#cancellable = call.request.cancellation ?? new WatchedSignal(call.request.signal);
    this.#isTimed = limit !== undefined;
    this.#left = limit ?? Number.POSITIVE_INFINITY;
  }

  run(running: Promise<unknown>): Promise<unknown> {
    const { call } = this;
    const ended = new Promise<unknown>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    running.then(
      (value) => this.#end() && this.#resolve(value),
      (error: unknown) => this.#end() && this.#reject(error),
    );
    if (this.#cancellable.aborted) {
      this.cancel(this.#cancellable.reason);
      return ended;
    }
    this.#cancellable.watch(this);
    if (this.#isTimed) {
      this.#startClock();
      call.keepTime({ suspend: () => this.#pauseClock(), resume: () => this.#startClock() });
    }
    return ended;
  }

  /** @returns false when the call was answered already */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#stopClock?.();
    this.#cancellable.unwatch(this);
    return true;
  }

  /** Answers in place of the work. */
  #settle(result: () => unknown): void {
    if (!this.#end()) return;
    try {
      this.#resolve(result());
    } catch (error) {
      this.#reject(error);
    }
  }

  cancel(reason: unknown): void {
    const { call } = this;
    if (this.#isOver) return;
    this.#giveUp(reason);
    this.#settle(() => cancelled(call));
  }

  get began(): number | undefined {
    return this.#began === undefined ? undefined : wallTime(this.call.environment.clock, this.#began);
  }

  stop(cause: StopCause = 'operator'): boolean {
    const { call, draft } = this;
    if (this.#isOver) return false;
    const who = cause === 'operator' ? 'An operator of this server' : 'The server is stopping and';
    const where = call.isAway ? ' while it waited for an answer' : '';
    const text = `${who} ended the call of ${draft.name}${where}. ${this.#soFar('It is safe to try again.')}`;
    this.#giveUp(new DOMException(REASONS[cause], 'AbortError'));
    this.#settle(() => cancelled(call, text));
    return true;
  }

  /** Stops the clock. */
  stopClock(): void {
    this.#isTimed = false;
    this.#stopClock?.();
  }

  #startClock(): void {
    if (this.#isOver || !this.#isTimed) return;
    const { clock } = this.call.environment;
    this.#startedAt = monotonic(clock);
    this.#began ??= this.#startedAt;
    this.#stopClock = clock.after(this.#left, () => this.#expire());
  }

  #pauseClock(): void {
    if (!this.#isTimed) return;
    this.#stopClock?.();
    this.#left = Math.max(1, this.#remaining);
  }

  get #remaining(): number {
    return Math.max(0, this.#left - (monotonic(this.call.environment.clock) - this.#startedAt));
  }

  #expire(): void {
    const { call, draft, limit } = this;
    // This must be asked before the signal empties the queue.
    const late = `${draft.name} did not finish within ${limit! / 1_000} s`;
    const advice = 'It is safe to try again, perhaps with a smaller request.';
    const text = call.isQueued
      ? `${late}: it waited for its turn and never began. It is safe to try again later.`
      : `${late}, and the server waits no longer. ${this.#soFar(advice)}`;
    this.#giveUp(new DOMException(`The call took longer than ${sayDuration(limit ?? 0)}.`, 'TimeoutError'));
    this.#settle(() => refuse(call, { outcome: 'timeout', reason: 'TW_TIMEOUT', text, rpcCode: 504 }));
  }

  /** Gives the work up: it may run on, but its result is dropped. */
  #giveUp(reason: unknown): void {
    const { call } = this;
    if (!call.isQueued) call.environment.work.abandon(call);
    call.abort(reason);
    if (this.#isTimed) call.letGoAfter(this.#remaining);
  }

  /** What the call has done. @param harmless the advice where another call does no harm */
  #soFar(harmless: string): string {
    const { call, draft } = this;
    if (call.isQueued) return 'It waited for its turn and never began.';
    if (!call.hasBegun) return 'Nothing was done. It is safe to try again.';
    if (call.soFar) return call.soFar();
    return isHarmlessTwice(draft.annotations)
      ? harmless
      : 'It may still run, and may have taken effect in part; check before trying again.';
  }
}

/** A request that has only a signal. */
class WatchedSignal implements Cancellable {
  #observer: CancellationObserver | undefined;

  constructor(private readonly signal: AbortSignal) {}

  get aborted(): boolean {
    return this.signal.aborted;
  }

  get reason(): unknown {
    return this.signal.reason;
  }

  watch(observer: CancellationObserver): void {
    this.#observer = observer;
    this.signal.addEventListener('abort', this, { once: true });
  }

  unwatch(): void {
    this.signal.removeEventListener('abort', this);
  }

  handleEvent(): void {
    this.#observer?.cancel(this.reason);
  }
}

/** The result of a call that was cancelled. Where its caller did it, only the audit log reads it. */
function cancelled(call: ActiveCall, text = 'The call was cancelled.'): unknown {
  return refuse(call, {
    outcome: 'cancelled',
    reason: 'TW_CANCELLED',
    text,
    rpcCode: 499,
  });
}

/**
 * Ends a call at its deadline, and when its caller cancels it or disconnects, whether or not the method
 * stops. The time in the queue for a slot counts, too, because the caller waits then. This guard is therefore
 * outside the slots: they are free when the work has ended, and not at the deadline. A method that answers
 * synchronously needs neither a timer nor a listener.
 */
export const deadlineGuard: BuiltInGuard = {
  name: 'deadline',
  position: 70,
  summary: 'Ends the call at its deadline, and when its caller cancels it.',
  decorators: { Timeout },
  plan: planDeadline((draft, environment) => !beginsBeforeLimits(draft, environment)),
  planCompletion: planDeadline((draft, environment) => !completionBeginsBeforeLimits(draft, environment)),
  planBackground: planDeadline(() => true),
};

/** The same outside of an `around` that begins before the limits: the time that it takes counts. */
export const earlyDeadlineGuard: BuiltInGuard = {
  name: 'early deadline',
  position: 45,
  summary: 'The deadline of calls whose `around` begins before the limits.',
  plan: planDeadline(beginsBeforeLimits),
  planCompletion: planDeadline(completionBeginsBeforeLimits),
};
