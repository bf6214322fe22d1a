import type { ToolResult } from '@toolwright/ground/base/content';
import { ConfigurationError, problemsAt } from '@toolwright/ground/base/errors/configuration-error';
import { isToolwrightError } from '@toolwright/ground/base/errors/errors';
import type { BackgroundNoun } from '@toolwright/ground/base/extended';
import { ActiveCall } from '@toolwright/ground/call/active-call';
import { CallRecorder } from '@toolwright/ground/call/call-recorder';
import { InputRequired, SO_FAR } from '@toolwright/ground/call/context/rounds';
import type { Environment } from '@toolwright/ground/call/environment';
import { planInvocation } from '@toolwright/ground/call/invoke';
import {
  type AnyDraft,
  type Target,
  type ToolDraft,
  contractOf,
  locationOf,
} from '@toolwright/ground/call/operation/draft';
import { withBareName } from '@toolwright/ground/call/operation/names';
import type {
  BoundOperation,
  BoundTool,
  Next,
  Run,
  StepDescription,
  BoundPrompt,
  BoundResourceTemplate,
  Complete,
} from '@toolwright/ground/call/operation/operation';
import { lazily, type MaybePromise, after, afterwards } from '@toolwright/json';
import type { PlannedStep } from './guard.js';
import { planBackgroundGuards, planGuards, planCompletionGuards } from './guards.js';
import { planUserMiddleware } from './middleware.js';

/**
 * Most tools are never called. Only a chain that may have a problem is planned at boot, so that the problem
 * is reported there.
 */
export function mayFail({ policies }: Pick<AnyDraft, 'policies'>, { options }: Environment): boolean {
  return policies.size > 0 || (options.middleware?.length ?? 0) > 0;
}

type Chain = (call: ActiveCall) => MaybePromise<unknown>;

type PlanSteps = (draft: AnyDraft, environment: Environment) => PlannedStep[];

type Shape<R> = (value: unknown, call: ActiveCall) => R;

/**
 * Plans the chain of one operation.
 *
 * @param shape turns what the method returned into the result of the call
 * @throws {ConfigurationError} when the options of a policy cannot be used
 */
export function planChain<R, O extends BoundOperation>(
  draft: AnyDraft,
  environment: Environment,
  shape: Shape<R>,
  plan: PlanSteps = planSteps,
): O {
  const steps = lazily(() => explained(plan, draft, environment));
  let chain: Chain | undefined;
  if (mayFail(draft, environment)) steps();
  const plain: Chain = (call) => (chain ??= link(steps(), draft.target, shape))(call);
  const traced = lazily(() => link(tracedSteps(steps()), draft.target, shape));
  const { callListeners } = environment;
  const run: Run<R> = (request, args) => {
    const call = new ActiveCall(seen, request, args, environment);
    return callListeners.size > 0 ? runTraced(call, traced()) : runThrough<R>(call, plain);
  };
  const operation = new Operation({ draft, steps, run }) as unknown as O;
  // A rule in middleware is about all versions of a tool, as one that is asked before it.
  const seen = withBareName<BoundOperation>(operation);
  return operation;
}

/**
 * Plans the chain of a background method: only the guards that mean something without a caller, and no middleware of
 * the application, because that is written for calls. What the method returns is dropped.
 *
 * @throws {ConfigurationError} when the options of a policy cannot be used
 */
export function planBackgroundRun(
  draft: ToolDraft,
  environment: Environment,
  noun: BackgroundNoun,
): BoundTool {
  const nothing = (): ToolResult => ({ content: [] });
  return planChain(draft, environment, nothing, () => planBackgroundGuards(draft, environment, noun));
}

/** Runs a call through its chain, and closes what it opened. */
function runThrough<R>(call: ActiveCall, chain: Chain): MaybePromise<R | InputRequired> {
  return after(
    () => chain(call) as MaybePromise<R>,
    (result) => finish(call, () => result),
    (error) =>
      finish(call, () => {
        throw error;
      }),
  );
}

/** Runs a call and reports it to the listeners, when it begins and when it ends. */
function runTraced<R>(call: ActiveCall, chain: Chain): MaybePromise<R | InputRequired> {
  const { callListeners } = call.environment;
  const recorder = (call.recorder = new CallRecorder(call));
  const report = () => callListeners.tell(recorder.trace('ended'));
  callListeners.tell(recorder.trace('running'));
  return afterwards(() => runThrough<R>(call, chain), report);
}

/** Steps that record what they do. The last step is the method itself. */
function tracedSteps(steps: readonly PlannedStep[]): PlannedStep[] {
  const traced = steps.map(({ step, ...description }): PlannedStep => ({
    ...description,
    step: (call, next) => call.recorder!.step(description, (inner) => step(call, inner), next),
  }));
  const method = { name: 'method', origin: 'method' } as const;
  return [...traced, { ...method, step: (call, next) => call.recorder!.step(method, () => next(), next) }];
}

/** The published part of a draft, and its `run`. What only messages need is computed when it is read. */
class Operation {
  readonly #draft: AnyDraft;
  readonly #steps: () => readonly PlannedStep[];

  constructor({ draft, steps, run }: { draft: AnyDraft; steps: () => readonly PlannedStep[]; run: unknown }) {
    const { target: _, site: __, location: ___, contract: ____, ...published } = draft;
    Object.assign(this, published, { run });
    this.#draft = draft;
    this.#steps = steps;
  }

  get location(): string | undefined {
    return locationOf(this.#draft).location;
  }

  get contract(): string | undefined {
    return contractOf(this.#draft);
  }

  get plan(): readonly StepDescription[] {
    return this.#steps().map(({ step: _, ...description }) => description);
  }
}

/** Links the steps, with the method at the end. */
function link<R>(steps: readonly PlannedStep[], target: Target, shape: Shape<R>): Chain {
  const invoke = planInvocation(target);
  return compose<ActiveCall, unknown>(
    steps.map(({ step }) => step),
    (call) => {
      // The steps before may have taken longer than the call may work.
      call.ensureWanted();
      call.hasBegun = true;
      return after(
        () => invoke(call),
        (value) => {
          call.hasRun = true;
          return shape(value, call);
        },
      );
    },
  );
}

/** Closes what the call opened, and then answers. An open question is answered before any result. */
function finish<R>(call: ActiveCall, answer: () => R): MaybePromise<R | InputRequired> {
  if (call.verdict.outcome !== undefined) {
    call.environment.security.note(call);
    call.request.task?.failed?.(call.verdict);
  }
  if (call.soFar) call.request.input.remember(SO_FAR, call.soFar());
  const reply = () => (call.pending ? new InputRequired(call.request.input.pending) : answer());
  const closing = call.end();
  // When a call was cancelled, nobody waits for the clean-ups of a method that hangs.
  const isGivenUp = call.verdict.outcome === 'timeout' || call.verdict.outcome === 'cancelled';
  return isGivenUp ? reply() : after(() => closing, reply);
}

const planSteps: PlanSteps = (draft, environment) => {
  const { around, inside } = planGuards(draft, environment);
  return [...around, ...planUserMiddleware(draft, environment), ...inside];
};

/** Adds the place of the operation to the problems of its policies. */
function explained(plan: PlanSteps, draft: AnyDraft, environment: Environment): PlannedStep[] {
  try {
    return plan(draft, environment);
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new ConfigurationError(problemsAt(error, locationOf(draft).location));
    if (isToolwrightError(error)) throw error;
    throw new ConfigurationError({
      code: 'TW_POLICY_INVALID',
      message: `A policy of the ${draft.kind} "${draft.name}" is wrong: ${(error as Error).message}`,
      fix: 'Correct the options of its decorator, or of the one on its class.',
      ...locationOf(draft),
    });
  }
}

type AnyStep<C, R> = (call: C, next: Next<R>) => MaybePromise<R>;

/**
 * Makes one function of the steps and of what is at their end. The first step is the outermost. It is
 * synchronous as long as every step is.
 */
function compose<C, R>(
  steps: readonly AnyStep<C, R>[],
  end: (call: C) => MaybePromise<R>,
): (call: C) => MaybePromise<R> {
  return steps.reduceRight<(call: C) => MaybePromise<R>>(
    (rest, step) => (call) => step(call, () => rest(call)),
    end,
  );
}

/** A call with the arguments that are already known. The typed text is not one of them: it is not complete. */
class CompletionCall extends ActiveCall {
  constructor(...[operation, request, given, environment]: ConstructorParameters<typeof ActiveCall>) {
    super(operation, request, given, environment);
    this.arguments = given['known'] as Record<string, unknown>;
  }

  override get argumentsByName(): Readonly<Record<string, unknown>> {
    const { argument, value, known } = this.given;
    return { ...(known as Record<string, unknown>), [argument as string]: value };
  }
}

/**
 * Guards completions of the arguments of a prompt or a template. A caller that may not see it never gets
 * here: for such a caller the reference is unknown. A person who types sends many requests for one call. They
 * are counted apart from calls, by the server's own limit.
 */
export function withCompletions<O extends BoundPrompt | BoundResourceTemplate>(
  operation: O,
  draft: AnyDraft,
  environment: Environment,
): O {
  const steps = planCompletionGuards(draft, environment);
  const guarded = Object.entries(operation.complete).map(([argument, complete]): [string, Complete] => {
    const run = guard(complete, steps);
    return [
      argument,
      (value, known, request) =>
        run(new CompletionCall(operation, request, { argument, value, known }, environment)),
    ];
  });
  return Object.assign(operation, { complete: Object.fromEntries(guarded) });
}

function guard(complete: Complete, steps: readonly PlannedStep[]) {
  const chain = compose<ActiveCall, unknown>(
    steps.map(({ step }) => step),
    (call) => {
      const { value, known } = call.given as { value: string; known: Readonly<Record<string, string>> };
      return after(
        () => complete(value, known, call.request, call),
        (values) => values.map(call.environment.cleanText),
      );
    },
  );
  return (call: ActiveCall): MaybePromise<readonly string[]> => {
    const end = () => {
      call.environment.security.note(call);
      return call.end();
    };
    return afterwards(() => chain(call) as MaybePromise<readonly string[]>, end);
  };
}
