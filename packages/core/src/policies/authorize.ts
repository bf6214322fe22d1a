import { InsufficientScopeError } from '../base/errors/specific-errors.js';
import { isPromise } from '../base/maybe-promise.js';
import type { Principal } from '../base/request-context.js';
import type { PipelineOptions } from '../call/call-options.js';
import type { BoundResource, BoundResourceTemplate } from '../call/operation/operation.js';
import { definePolicy } from './define-policy.js';
import type { Guard, GuardedOperation, PlanGuard, VisibilityContext } from './guard.js';

/**
 * Only callers whose token has all of these scopes see the operation in lists and may use it. Anonymous
 * callers have no scopes.
 *
 * @example
 * @McpTool()
 * @RequireScopes('pages:write') async createPage(page: CreatePageDto) { … }
 */
export const RequireScopes = definePolicy('requireScopes', {
  parse: (...scopes: [scope: string, ...more: string[]]): readonly string[] => {
    const bad = scopes.find((scope) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
    if (bad !== undefined) throw new RangeError(`"${bad}" is not an OAuth scope (RFC 6749, section 3.3).`);
    return scopes;
  },
});

/** Refuses callers that lack scopes. They may learn which: a client can ask for a token that has them. */
const planScopes: PlanGuard = (draft) => {
  const required = RequireScopes.of(draft);
  if (!required) return undefined;
  return {
    origin: required.origin,
    detail: required.options.join(' '),
    step(call, next) {
      if (hasScopes(required.options, call.request.principal)) return next();
      Object.assign(call.verdict, { outcome: 'denied', reason: 'TW_INSUFFICIENT_SCOPE' });
      call.environment.refusedCalls.count(call);
      throw new InsufficientScopeError(required.options);
    },
  };
};

function hasScopes(required: readonly string[] | undefined, principal: Principal | undefined): boolean {
  return !required || required.every((scope) => principal?.scopes.includes(scope));
}

/** Lists leave out what the caller lacks the scopes for. A call is answered with the scopes that it needs. */
export const scopesGuard: Guard = {
  name: 'scopes',
  position: 35,
  summary: 'Refuses callers that lack a scope.',
  decorators: { RequireScopes },
  visible: (operation, principal) => hasScopes(RequireScopes.of(operation)?.options, principal),
  refusesOpenly: true,
  plan: planScopes,
};

/** Asks the rules of the application: `authorize` about every operation, `mayRead` about each URI. */
function passes(
  operation: GuardedOperation,
  principal: Principal | undefined,
  { options: { authorize, mayRead }, uri, variables = {} }: VisibilityContext,
): boolean {
  if (authorize && !isYes(authorize(principal, operation, uri, uri === undefined ? undefined : variables)))
    return false;
  if (!mayRead || uri === undefined || !isReadable(operation)) return true;
  return isYes(mayRead(principal, operation, uri, variables));
}

function isRuled(operation: GuardedOperation, { authorize, mayRead }: PipelineOptions): boolean {
  return authorize !== undefined || (mayRead !== undefined && isReadable(operation));
}

function isReadable(
  operation: GuardedOperation,
): operation is Omit<BoundResource | BoundResourceTemplate, 'run'> {
  return operation.kind === 'resource' || operation.kind === 'resourceTemplate';
}

/**
 * Only `true` lets a caller in. If the function was made `async` by mistake, its promise would let everybody
 * in.
 */
function isYes(verdict: unknown): boolean {
  // Nobody waits for this promise. If nobody handled its rejection, the process would end.
  if (isPromise(verdict)) void verdict.then(undefined, () => undefined);
  return verdict === true;
}

/** The rules of the application. Each rule that is set must say yes. */
export const authorizeGuard: Guard = {
  name: 'authorize',
  position: 30,
  summary: 'Refuses callers that may not use the operation.',
  visible: passes,
  mayHide: isRuled,
};
