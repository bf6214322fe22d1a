import { HiddenOperationError, InsufficientScopeError } from '../base/errors/specific-errors.js';
import { isPromise } from '../base/maybe-promise.js';
import type { Principal } from '../base/request-context.js';
import type { ActiveCall } from '../call/active-call.js';
import type { PipelineOptions } from '../call/call-options.js';
import type { MayRead, ResourceVariables } from '../call/operation/registry.js';
import { addressOf } from '../call/operation/keys.js';
import type { BoundOperation, BoundResource, BoundResourceTemplate } from '../call/operation/operation.js';
import { definePolicy } from './define-policy.js';
import type { Guard, PlanGuard } from './guard.js';

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

type Operation = Omit<BoundOperation, 'run'>;

/** The rules of the application. Each of them that there is must say yes. */
export type AccessRules = Pick<PipelineOptions, 'authorize' | 'mayRead'>;

/** A resource at one URI, with the values of its template's variables. */
type Read = readonly [uri: string, variables: ResourceVariables];

/**
 * True when this caller may see and use the operation. It guards the call and filters the lists, so that the
 * two never differ.
 */
export function isAllowed(
  operation: Operation,
  principal: Principal | undefined,
  rules: AccessRules,
): boolean {
  const read: Read | undefined = operation.kind === 'resource' ? [addressOf(operation), {}] : undefined;
  return (
    hasScopes(RequireScopes.of(operation)?.options, principal) && passes(rules, principal, operation, read)
  );
}

/**
 * True when this caller may read the resource at this URI. Reading asks it in two parts, in the guard below, because
 * a caller without the scopes gets another answer than one that may not know of the resource.
 */
export function mayRead(rules: AccessRules, ...[principal, resource, ...read]: Parameters<MayRead>): boolean {
  return (
    hasScopes(RequireScopes.of(resource)?.options, principal) && passes(rules, principal, resource, read)
  );
}

/** True when the answer of `isAllowed` depends on the caller. */
export function dependsOnCaller(operation: Operation, rules: AccessRules): boolean {
  return isRuled(operation, rules) || RequireScopes.of(operation) !== undefined;
}

const planAuthorization: PlanGuard = (draft, { options }) => {
  const required = RequireScopes.of(draft);
  const ruled = isRuled(draft, options);
  if (!required && !ruled) return undefined;
  const rules = [options.authorize && 'authorize()', isReadable(draft) && options.mayRead && 'mayRead()'];
  return {
    origin: required?.origin ?? 'server',
    detail: [required?.options.join(' '), ...rules].filter(Boolean).join(', '),
    step(call, next) {
      const { principal } = call.request;
      if (ruled && !passes(options, principal, call.operation, readOf(call))) {
        Object.assign(call.verdict, { outcome: 'denied', reason: 'TW_HIDDEN' });
        call.environment.refusedCalls.count(call);
        throw new HiddenOperationError(call.operation);
      }
      if (required && !hasScopes(required.options, principal)) {
        Object.assign(call.verdict, { outcome: 'denied', reason: 'TW_INSUFFICIENT_SCOPE' });
        call.environment.refusedCalls.count(call);
        throw new InsufficientScopeError(required.options);
      }
      return next();
    },
  };
};

function hasScopes(required: readonly string[] | undefined, principal: Principal | undefined): boolean {
  return !required || required.every((scope) => principal?.scopes.includes(scope));
}

type Readable = Omit<BoundResource | BoundResourceTemplate, 'run'>;

function isReadable(operation: Operation): operation is Readable {
  return operation.kind === 'resource' || operation.kind === 'resourceTemplate';
}

function isRuled(operation: Operation, { authorize, mayRead }: AccessRules): boolean {
  return authorize !== undefined || (mayRead !== undefined && isReadable(operation));
}

/** What a call reads. The guard comes before validation, so the variables are still text. */
function readOf({ operation, request, arguments: variables }: ActiveCall): Read | undefined {
  if (!isReadable(operation)) return undefined;
  return [request.uri ?? addressOf(operation), variables as ResourceVariables];
}

function passes(
  { authorize, mayRead }: AccessRules,
  ...[principal, operation, read]: [Principal | undefined, Operation, Read | undefined]
): boolean {
  if (authorize && !isYes(authorize(principal, operation, read?.[0], read?.[1]))) return false;
  return !mayRead || !read || !isReadable(operation) || isYes(mayRead(principal, operation, ...read));
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

export const authorizeGuard: Guard = {
  name: 'authorize',
  position: 30,
  summary: 'Refuses callers that may not use the operation.',
  decorators: { RequireScopes },
  plan: planAuthorization,
};
