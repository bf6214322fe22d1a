import { RequireScopes } from './require-scopes.js';
import { HiddenOperationError } from '../../base/errors/hidden-operation-error.js';
import { InsufficientScopeError } from '../../base/errors/insufficient-scope-error.js';
import { isPromise } from '../../base/maybe-promise.js';
import type { PipelineOptions } from '../../call/call-options.js';
import type { BoundOperation } from '../../call/operation/operation.js';
import type { Guard, PlanGuard } from '../guard.js';
import type { Principal } from '../../base/request-context.js';

type Operation = Omit<BoundOperation, 'run'>;
type Authorize = PipelineOptions['authorize'];

/**
 * True when this caller may see and use the operation. It guards the call and filters the lists, so that the
 * two never differ.
 */
export function isAllowed(
  operation: Operation,
  principal: Principal | undefined,
  authorize: Authorize,
): boolean {
  return (
    hasScopes(RequireScopes.of(operation)?.options, principal) && passes(authorize, principal, operation)
  );
}

/** True when the answer of `isAllowed` depends on the caller. */
export function dependsOnCaller(operation: Operation, authorize: Authorize): boolean {
  return authorize !== undefined || RequireScopes.of(operation) !== undefined;
}

const planAuthorization: PlanGuard = (draft, { options: { authorize } }) => {
  const required = RequireScopes.of(draft);
  if (!required && !authorize) return undefined;
  return {
    origin: required?.origin ?? 'server',
    detail: [required?.options.join(' '), authorize && 'authorize()'].filter(Boolean).join(', '),
    step(call, next) {
      const { principal } = call.request;
      if (!passes(authorize, principal, call.operation)) {
        Object.assign(call.verdict, { outcome: 'denied', reason: 'TW_HIDDEN' });
        throw new HiddenOperationError(call.operation);
      }
      if (required && !hasScopes(required.options, principal)) {
        Object.assign(call.verdict, { outcome: 'denied', reason: 'TW_INSUFFICIENT_SCOPE' });
        throw new InsufficientScopeError(required.options);
      }
      return next();
    },
  };
};

function hasScopes(required: readonly string[] | undefined, principal: Principal | undefined): boolean {
  return !required || required.every((scope) => principal?.scopes.includes(scope));
}

/**
 * Only `true` lets a caller in. If the function was made `async` by mistake, its promise would let everybody
 * in.
 */
function passes(authorize: Authorize, principal: Principal | undefined, operation: Operation): boolean {
  if (!authorize) return true;
  const verdict: unknown = authorize(principal, operation);
  // Nobody waits for this promise. If nobody handled its rejection, the process would end.
  if (isPromise(verdict)) void verdict.then(undefined, () => undefined);
  return verdict === true;
}

export const authorizeGuard: Guard = {
  name: 'authorize',
  position: 30,
  summary: 'Refuses callers that may not use the operation.',
  decorators: { RequireScopes },
  plan: planAuthorization,
};
