import { ConfigurationError, problemsAt } from '../base/errors/configuration-error.js';
import { isToolwrightError } from '../base/errors/toolwright-error.js';
import { planAudit } from './audit/audit-calls.js';
import { planAuthorisation } from './authorize/authorize.js';
import { planCache } from './cache/cache-results.js';
import { planConfirmation, takesConfirmed, withConfirmed } from './confirm/ask-to-confirm.js';
import { planOutputGuard } from './output/guard-output.js';
import { planServerConcurrency, planToolConcurrency } from './concurrency/limit-concurrency.js';
import { planRateLimit } from './rate-limit/limit-rate.js';
import { planDeadline } from './timeout/limit-time.js';
import { planErrors } from './errors/map-errors.js';
import { outputWritersOf, undeclaredRuleOf } from './output/output-writers.js';
import { planRevival } from './validation/revive-arguments.js';
import { planTaskClient, planTaskStart } from './tasks/start-task.js';
import { planUserMiddleware } from './middleware/run-user-middleware.js';
import { planValidation } from './validation/validate.js';
import { ActiveCall } from '../call/active-call.js';
import { after, type MaybePromise } from '../base/maybe-promise.js';
import type { Environment } from '../call/environment.js';
import { InputRequired } from '../call/context/input-required.js';
import { planInvocation } from '../call/invoke.js';
import { lazily } from '../base/lazily.js';
import type {
  BoundOperation,
  BoundPrompt,
  BoundResource,
  BoundResourceTemplate,
  BoundTool,
  Run,
} from '../call/operation/operation.js';
import type { StepDescription } from '../call/operation/step-description.js';
import {
  locationOf,
  type AnyDraft,
  type PromptDraft,
  type ResourceDraft,
  type ResourceTemplateDraft,
  type ToolDraft,
} from '../call/operation/draft.js';
import type { PlannedStep } from './plan-step.js';
import type { OutputWriter } from '../call/serialiser/output-node.js';
import { shapePromptResult } from '../call/results/shape-prompt-result.js';
import { shapeResourceResult } from '../call/results/shape-resource-result.js';
import { shapeToolResult, toolShape } from '../call/results/shape-tool-result.js';
import { WrittenResult } from '../call/results/written-result.js';
import { isData, UndeclaredOutputError } from '../call/results/undeclared-output.js';
import type { Target } from '../call/operation/target.js';
import { toolContract } from '../call/operation/tool-contract.js';
import { compose } from '../call/compose.js';
import { planCompletions } from './plan-completions.js';

/**
 * The order of a request, outermost first. What refuses cheaply comes early, and runs nothing that the tool's author
 * wrote. All that the author wrote, validators included, runs inside of the deadline and of the slots. A person is asked
 * once it is known that the call would be carried out; the clock and the slots do not wait with it. What leaves passes
 * the output guard last.
 */
const order = [
  planAudit,
  planErrors,
  planAuthorisation,
  planTaskClient,
  planRateLimit,
  planValidation,
  planDeadline,
  planServerConcurrency,
  planToolConcurrency,
  planRevival,
  planConfirmation,
  planTaskStart,
  planCache,
  planOutputGuard,
];

/**
 * Plans the chain of a tool, from its annotations and policies and the server's options.
 *
 * @returns the draft made ready: what middleware sees as `call.operation`, and what belongs into the registry
 * @throws {ConfigurationError} when a policy's options make no sense
 */
export function planTool(draft: ToolDraft, environment: Environment): BoundTool {
  const { outputSchema } = draft;
  const writers = outputSchema && outputWritersOf(outputSchema, draft, environment);
  const shape = toolShape(draft, writers?.value);
  const effective = takesConfirmed(draft)
    ? { ...draft, contract: toolContract(draft), inputSchema: withConfirmed(draft.inputSchema) }
    : draft;
  if (outputSchema)
    return plan(effective, environment, (value, call) => {
      const result = shapeToolResult(value, shape);
      call.gaveResult = !(result instanceof WrittenResult);
      return result;
    });
  if (undeclaredRuleOf(draft, environment).ofValues !== 'refuse')
    return plan(effective, environment, (value) => shapeToolResult(value, shape));
  return plan(effective, environment, (value) => {
    if (isData(value)) throw new UndeclaredOutputError();
    return shapeToolResult(value, shape);
  });
}

/** Plans the chain of a prompt. @throws {ConfigurationError} */
export function planPrompt(draft: PromptDraft, environment: Environment): BoundPrompt {
  const write = dataWriterOf(draft, environment);
  return plan(draft, environment, (value) => shapePromptResult(value, draft.description, write));
}

/** Plans the chain of a resource. @throws {ConfigurationError} */
export function planResource(draft: ResourceDraft, environment: Environment): BoundResource {
  const { uri, mimeType, ui } = draft;
  const returnsResult = draft.target.protocolResult === 'resource';
  const write = dataWriterOf(draft, environment);
  return plan(draft, environment, (value, { request }) =>
    shapeResourceResult(value, {
      uri: request.uri ?? uri,
      mimeType,
      era: request.era,
      ui,
      returnsResult,
      write,
    }),
  );
}

/** Plans the chain of a resource template; its arguments are the variables of the URI. @throws {ConfigurationError} */
export function planResourceTemplate(
  draft: ResourceTemplateDraft,
  environment: Environment,
): BoundResourceTemplate {
  const { uriTemplate, mimeType } = draft;
  const returnsResult = draft.target.protocolResult === 'resource';
  const write = dataWriterOf(draft, environment);
  return plan(draft, environment, (value, { request }) =>
    shapeResourceResult(value, {
      uri: request.uri ?? uriTemplate,
      mimeType,
      era: request.era,
      returnsResult,
      write,
    }),
  );
}

/** Writes what the method of a prompt or of a resource returns, where the type says what that is. */
function dataWriterOf(draft: AnyDraft, environment: Environment): OutputWriter | undefined {
  const { resultSchema } = draft.target;
  return resultSchema && outputWritersOf(resultSchema, draft, environment).value;
}

/** Most tools are never called: only a chain that can be wrong is planned at boot, to be reported with the rest. */
export function mayFail({ policies }: AnyDraft, { options }: Environment): boolean {
  return policies.size > 0 || (options.middleware?.length ?? 0) > 0;
}

type Shape<R> = (value: unknown, call: ActiveCall) => R;

function plan<R, O extends BoundOperation>(draft: AnyDraft, environment: Environment, shape: Shape<R>): O {
  const steps = lazily(() => planSteps(draft, environment));
  const chain = lazily(() => link(steps(), draft.target, shape));
  if (mayFail(draft, environment)) steps();
  const run: Run<R> = (request, args) => {
    const call = new ActiveCall(operation as BoundOperation, request, args, environment);
    return after(
      () => chain()(call) as MaybePromise<R>,
      (result) => finish(call, () => result),
      (error) =>
        finish(call, () => {
          throw error;
        }),
    );
  };
  const operation = new Operation({ draft, steps, run }) as unknown as O;
  if ('complete' in operation) {
    Object.assign(operation, { complete: planCompletions(draft, operation, environment) });
  }
  return operation;
}

/** What is published of a draft and its `run`; what only messages tell is worked out when they do. */
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
    return this.#draft.kind === 'tool' ? toolContract(this.#draft) : undefined;
  }

  get plan(): readonly StepDescription[] {
    return this.#steps().map(({ step: _, ...description }) => description);
  }
}

/** The chain of steps with the method at its end. */
function link<R>(steps: readonly PlannedStep[], target: Target, shape: Shape<R>) {
  const invoke = planInvocation(target);
  return compose<ActiveCall, unknown>(
    steps.map(({ step }) => step),
    (call) => {
      // What came before may have taken longer than the call had.
      call.ensureWanted();
      return after(
        () => invoke(call),
        (value) => shape(value, call),
      );
    },
  );
}

/** Closes what the call opened, then answers; an open question comes before any result. */
function finish<R>(call: ActiveCall, answer: () => R): MaybePromise<R | InputRequired> {
  call.environment.security.note(call);
  const reply = () => (call.pending ? new InputRequired(call.request.input.pending) : answer());
  const closing = call.end();
  // A call that was given up has nobody to wait for the clean-ups of a method that hangs.
  const isGivenUp = call.verdict.outcome === 'timeout' || call.verdict.outcome === 'cancelled';
  return isGivenUp ? reply() : after(() => closing, reply);
}

function planSteps(draft: AnyDraft, environment: Environment): PlannedStep[] {
  try {
    const builtIn = order.flatMap((planStep) => planStep(draft, environment) ?? []);
    return [...builtIn, ...planUserMiddleware(draft, environment)];
  } catch (error) {
    if (error instanceof ConfigurationError)
      throw new ConfigurationError(problemsAt(error, locationOf(draft).location));
    if (isToolwrightError(error)) throw error;
    throw new ConfigurationError([
      {
        code: 'TW_POLICY_INVALID',
        message: `A policy of the ${draft.kind} "${draft.name}" makes no sense: ${(error as Error).message}`,
        fix: 'Correct the options of its decorator, or of the one on its class.',
        ...locationOf(draft),
      },
    ]);
  }
}
