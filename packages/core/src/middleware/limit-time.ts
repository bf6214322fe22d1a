import { Timeout } from '../decorators/timeout.js';
import type { Cancellable, CancellationObserver } from '../messages/request-context.js';
import { isPromise } from '../pipeline/after.js';
import type { ActiveCall } from '../pipeline/active-call.js';
import type { AnyDraft } from '../pipeline/draft.js';
import type { PlanStep } from '../pipeline/plan-step.js';
import { refuse } from '../pipeline/refuse.js';

/**
 * Ends a call at its deadline, and when its caller cancels it or goes away, whether the method stops or not. A method
 * that answers synchronously needs neither timer nor listener.
 */
export const planDeadline: PlanStep = (draft, { timeoutMs }) => {
  const policy = Timeout.of(draft);
  const limit = policy ? policy.options || undefined : timeoutMs;
  return {
    name: 'deadline',
    origin: policy?.origin ?? 'default',
    detail: limit === undefined ? 'only the caller can end it' : `${limit} ms`,
    step(call, next) {
      const running = next();
      if (!isPromise(running)) return running;
      const { task } = call.request;
      // The default spares callers that wait; whoever began a task does not.
      const race = new Race(call, !policy && task?.started ? undefined : limit, draft);
      if (!policy) task?.onStart(() => race.stopClock());
      return race.run(running);
    },
  };
};

/** A call that runs, against the clock and against its caller. */
class Race implements CancellationObserver {
  readonly #cancellable: Cancellable;
  #settle!: (result: () => unknown) => void;
  #stopClock: (() => void) | undefined;
  #startedAt = 0;
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
    // What the call spent in a queue counts: its caller has been waiting all the same.
    this.#left = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(1, limit - call.queuedMs);
  }

  run(running: Promise<unknown>): Promise<unknown> {
    const { call } = this;
    const ended = new Promise<unknown>((resolve, reject) => {
      this.#settle = (result) => {
        if (this.#isOver) return;
        this.#isOver = true;
        this.#stopClock?.();
        this.#cancellable.unwatch(this);
        try {
          resolve(result());
        } catch (error) {
          reject(error as Error);
        }
      };
      running.then(
        (value) => this.#settle(() => value),
        (error: unknown) =>
          this.#settle(() => {
            throw error;
          }),
      );
    });
    if (this.#cancellable.aborted) {
      this.cancel(this.#cancellable.reason);
      return ended;
    }
    this.#cancellable.watch(this);
    if (this.#isTimed) {
      this.#startClock();
      call.onWait({ suspend: () => this.#pauseClock(), resume: () => this.#startClock() });
    }
    return ended;
  }

  cancel(reason: unknown): void {
    const { call } = this;
    call.abort(reason);
    this.#settle(() => cancelled(call));
  }

  /** Lets the call take its time. */
  stopClock(): void {
    this.#isTimed = false;
    this.#stopClock?.();
  }

  #startClock(): void {
    if (this.#isOver || !this.#isTimed) return;
    const { clock } = this.call.environment;
    this.#startedAt = clock.now();
    this.#stopClock = clock.after(this.#left, () => this.#expire());
  }

  #pauseClock(): void {
    if (!this.#isTimed) return;
    this.#stopClock?.();
    this.#left = Math.max(1, this.#left - (this.call.environment.clock.now() - this.#startedAt));
  }

  #expire(): void {
    const { call, draft, limit } = this;
    call.abort(new DOMException(`The call took longer than ${limit} ms.`, 'TimeoutError'));
    this.#settle(() =>
      refuse(call, {
        outcome: 'timeout',
        reason: 'TW_TIMEOUT',
        text: `${draft.name} did not finish within ${limit! / 1_000} s and was stopped. ${advice(draft)}`,
        rpcCode: 504,
      }),
    );
  }
}

/** A request that has nothing but a signal. */
class WatchedSignal implements Cancellable {
  #listener: (() => void) | undefined;

  constructor(private readonly signal: AbortSignal) {}

  get aborted(): boolean {
    return this.signal.aborted;
  }

  get reason(): unknown {
    return this.signal.reason;
  }

  watch(observer: CancellationObserver): void {
    this.#listener = () => observer.cancel(this.reason);
    this.signal.addEventListener('abort', this.#listener, { once: true });
  }

  unwatch(): void {
    if (this.#listener) this.signal.removeEventListener('abort', this.#listener);
  }
}

function advice({ annotations: { readOnlyHint, idempotentHint } }: AnyDraft): string {
  return readOnlyHint || idempotentHint
    ? 'It is safe to try again, perhaps with a smaller request.'
    : 'It may have taken effect in part; check before trying again.';
}

/** The end of a call that its caller gave up. Nobody reads it; the audit log does. */
export function cancelled(call: ActiveCall): unknown {
  return refuse(call, {
    outcome: 'cancelled',
    reason: 'TW_CANCELLED',
    text: 'The call was cancelled.',
    rpcCode: 499,
  });
}
