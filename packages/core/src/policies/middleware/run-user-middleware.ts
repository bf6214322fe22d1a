import { factsOf } from '../../base/operation-kinds.js';
import { policyValues } from '../policy-value.js';
import { UseMiddleware } from './use-middleware.js';
import type { AttachedMiddleware } from '../../call/call-options.js';
import type { Middleware, Planned } from '../../call/operation/operation.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import type { StepOrigin } from '../../call/operation/step-description.js';
import type { Environment } from '../../call/environment.js';
import type { PlannedStep } from '../guard.js';
import { contractOf } from '../../call/operation/contract-of.js';
import { MiddlewareRun } from './middleware-run.js';

/** The middleware of authors: first the server's, then that of their own policies, then `@UseMiddleware`. */
export function planUserMiddleware(draft: AnyDraft, { options }: Environment): PlannedStep[] {
  const operation = describe(draft);
  const attached = (options.middleware ?? [])
    .map((entry): AttachedMiddleware => (typeof entry === 'function' ? { middleware: entry } : entry))
    .filter((entry) => isFor(entry, operation))
    .map(({ middleware }) => toStep(middleware, 'server'));
  const ofPolicies = policyValues(draft.policies).flatMap(({ name, value, origin }) => {
    const middleware = value.definition.plan?.(value.options as never, operation);
    return middleware ? [toStep(middleware, origin as StepOrigin, name)] : [];
  });
  const used = UseMiddleware.of(draft);
  return [
    ...attached,
    ...ofPolicies,
    ...(used?.options ?? []).map((middleware) => toStep(middleware, used!.origin)),
  ];
}

function describe(draft: AnyDraft): Planned {
  if (!factsOf(draft).publishesSchemas) return draft as Planned;
  return {
    ...draft,
    get contract() {
      return contractOf(draft);
    },
  } as Planned;
}

function isFor({ appliesTo, when }: AttachedMiddleware, operation: Planned): boolean {
  return (!appliesTo || appliesTo.includes(operation.kind)) && (!when || when(operation));
}

function toStep(
  middleware: Middleware,
  origin: StepOrigin,
  name = middleware.name || 'middleware',
): PlannedStep {
  const step = middleware as unknown as PlannedStep['step'];
  return { name, origin, step: (call, next) => new MiddlewareRun(call, next, name).through(step) };
}
