import { AsyncLocalStorage } from 'node:async_hooks';
import { MisusedRunError } from '@toolwright/ground/base/errors/errors';
import type { PolicyEntry } from '@toolwright/ground/base/metadata/store';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { Around } from '@toolwright/ground/call/call-options';
import type { Environment } from '@toolwright/ground/call/environment';
import type { AnyDraft } from '@toolwright/ground/call/operation/draft';
import { withBareName } from '@toolwright/ground/call/operation/names';
import type { Next } from '@toolwright/ground/call/operation/operation';
import type { BuiltInGuard, PlanGuard } from './guard.js';
import { completionLimitRunsCode, limitRunsCode } from './rate-limit.js';

const NAME = 'around';

/**
 * Goes into the policies of a tool that only passes a call on to another tool, such as `call_tool`. The inner call has an
 * `around` of its own.
 */
export const withoutAround: readonly [name: string, entry: PolicyEntry] = [
  NAME,
  { options: false, origin: 'method' },
];

function aroundOf({ policies }: AnyDraft, { options }: Environment): Around | undefined {
  return policies.has(NAME) ? undefined : options.around;
}

/**
 * Whether `around` begins before the limits are asked, because code of the application says what they are. Otherwise it
 * begins later: a call that waits for a slot, or that is refused for its arguments, then holds no transaction.
 */
export function beginsBeforeLimits(draft: AnyDraft, environment: Environment): boolean {
  return aroundOf(draft, environment) !== undefined && limitRunsCode(draft, environment);
}

/** The same for the completions of its arguments. */
export function completionBeginsBeforeLimits(draft: AnyDraft, environment: Environment): boolean {
  return aroundOf(draft, environment) !== undefined && completionLimitRunsCode(environment);
}

const planWhere =
  (isHere: (draft: AnyDraft, environment: Environment) => boolean): PlanGuard =>
  (draft, environment) => {
    const around = aroundOf(draft, environment);
    if (!around || !isHere(draft, environment)) return undefined;
    return { origin: 'server', step: (call, next) => new AroundRun(call, next).through(around) };
  };

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** One run of `around` with the call inside. `run()` works once, and only until `around` ends. */
class AroundRun {
  #inner: Promise<unknown> | undefined;
  #isOver = false;
  #misuse: MisusedRunError | undefined;

  constructor(
    private readonly call: ActiveCall,
    private readonly rest: Next<unknown>,
  ) {}

  /** The call has ended when both are over. What `around` returns is ignored, and what it throws counts. */
  async through(around: Around): Promise<unknown> {
    const { call } = this;
    const { request, operation } = call;
    const { principal } = request;
    // Until it calls `run`, nothing of the call has begun.
    call.isPreparing = true;
    const outer = await outcomeOf(async () =>
      around(principal, () => this.#run(), {
        request,
        operation: withBareName(operation),
        tenant: principal?.tenant,
      }),
    );
    this.#isOver = true;
    const inner = this.#inner && (await outcomeOf(() => this.#inner!));
    if (!inner) call.isPreparing = false;
    const failure = this.#failure(outer, inner);
    if (failure) {
      // Nobody knows whether what the method did has stayed: a transaction may be rolled back.
      if (!inner || !('error' in inner) || inner.error !== failure.error) call.hasRun = false;
      throw failure.error;
    }
    return (inner as { value: unknown }).value;
  }

  #failure(outer: Outcome, inner: Outcome | undefined): { readonly error: unknown } | undefined {
    if (this.#misuse) return { error: this.#misuse };
    if ('error' in outer) return outer;
    if (!inner) return { error: new MisusedRunError('never') };
    return 'error' in inner ? inner : undefined;
  }

  #run(): Promise<void> {
    if (this.#isOver) return handled(Promise.reject(new MisusedRunError('after it had ended')));
    if (this.#inner) return handled(Promise.reject((this.#misuse = new MisusedRunError('a second time'))));
    const { call } = this;
    call.isPreparing = false;
    call.inside = AsyncLocalStorage.snapshot();
    this.#inner = this.#toItsEnd();
    return handled(this.#inner.then(() => undefined));
  }

  /** The clean-ups of a call run before `around` goes on: they may need what it has opened. */
  async #toItsEnd(): Promise<unknown> {
    const { call } = this;
    call.ensureWanted();
    try {
      return await this.rest();
    } finally {
      await call.endIfIdle();
    }
  }
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/** A promise that its receiver may ignore: a rejection that nobody handles would end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * The application's own context of a call: a transaction, a tenant in an `AsyncLocalStorage`. It is inside of the deadline
 * and of the slots, because it is code of the application, too.
 */
export const aroundGuard: BuiltInGuard = {
  name: NAME,
  position: 95,
  summary: 'Runs the `around` of the application, with the rest of the call inside.',
  plan: planWhere((draft, environment) => !beginsBeforeLimits(draft, environment)),
  planCompletion: planWhere((draft, environment) => !completionBeginsBeforeLimits(draft, environment)),
  planBackground: planWhere(() => true),
};

/** The same, for operations whose limits depend on code of the application. */
export const aroundLimitsGuard: BuiltInGuard = {
  name: 'around limits',
  position: 47,
  summary: 'The same, where a function says what the rate limit is: it runs inside, too.',
  plan: planWhere(beginsBeforeLimits),
  planCompletion: planWhere(completionBeginsBeforeLimits),
};
