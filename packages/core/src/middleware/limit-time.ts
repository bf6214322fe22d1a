import { Timeout } from '../decorators/timeout.js';
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
class Race {
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
    this.#isTimed = limit !== undefined;
    // What the call spent in a queue counts: its caller has been waiting all the same.
    this.#left = limit === undefined ? Number.POSITIVE_INFINITY : Math.max(1, limit - call.queuedMs);
  }

  run(running: Promise<unknown>): Promise<unknown> {
    const { call } = this;
    const { signal } = call.request;
    const giveUp = () => {
      call.abort(signal.reason);
      this.#settle(() => cancelled(call));
    };
    const ended = new Promise<unknown>((resolve, reject) => {
      this.#settle = (result) => {
        if (this.#isOver) return;
        this.#isOver = true;
        this.#stopClock?.();
        signal.removeEventListener('abort', giveUp);
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
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    if (this.#isTimed && !signal.aborted) {
      this.#startClock();
      call.onWait({ suspend: () => this.#pauseClock(), resume: () => this.#startClock() });
    }
    return ended;
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
