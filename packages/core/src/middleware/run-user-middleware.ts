import { policyValues } from '../pipeline/policy-value.js';
import { UseMiddleware } from '../decorators/use-middleware.js';
import type { AttachedMiddleware } from '../pipeline/pipeline-options.js';
import type { BoundTool, Middleware } from '../pipeline/operation.js';
import type { AnyDraft } from '../pipeline/draft.js';
import type { StepOrigin } from '../pipeline/step-description.js';
import type { Environment } from '../pipeline/environment.js';
import type { PlannedStep } from '../pipeline/plan-step.js';
import { toolContract } from '../pipeline/tool-contract.js';

/** The middleware of authors: the server's, then that of policies of their own, then `@UseMiddleware`. Tools only. */
export function planUserMiddleware(draft: AnyDraft, { options }: Environment): PlannedStep[] {
  if (draft.kind !== 'tool') return [];
  const tool: Omit<BoundTool, 'run'> = {
    ...draft,
    get contract() {
      return toolContract(draft);
    },
  };
  const attached = (options.middleware ?? [])
    .map((entry): AttachedMiddleware => (typeof entry === 'function' ? { middleware: entry } : entry))
    .filter(({ when }) => !when || when(tool))
    .map(({ middleware }) => toStep(middleware, 'server'));
  const ofPolicies = policyValues(draft.policies).flatMap(({ name, value, origin }) => {
    const middleware = value.definition.plan?.(value.options as never, tool);
    return middleware ? [toStep(middleware, origin as StepOrigin, name)] : [];
  });
  const used = UseMiddleware.of(draft);
  return [
    ...attached,
    ...ofPolicies,
    ...(used?.options ?? []).map((middleware) => toStep(middleware, used!.origin)),
  ];
}

function toStep(
  middleware: Middleware,
  origin: StepOrigin,
  name = middleware.name || 'middleware',
): PlannedStep {
  return { name, origin, step: middleware as unknown as PlannedStep['step'] };
}
