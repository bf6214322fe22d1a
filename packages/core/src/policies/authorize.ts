import { InsufficientScopeError } from '@toolwright/ground/base/errors/errors';
import { type OptionSchema, parseOptions } from '@toolwright/ground/base/options/option-schema';
import { flag, oauthScope, oneOf } from '@toolwright/ground/base/options/rules';
import type { Principal } from '@toolwright/ground/base/request-context';
import type { PipelineOptions } from '@toolwright/ground/call/call-options';
import { withBareName } from '@toolwright/ground/call/operation/names';
import type {
  Audience,
  BoundResource,
  BoundResourceTemplate,
} from '@toolwright/ground/call/operation/operation';
import type { AudienceAnswers } from '@toolwright/ground/call/operation/registry';
import { copyData, isFor, isYes } from '@toolwright/json';
import { definePolicy } from './define-policy.js';
import type { BuiltInGuard, GuardedOperation, PlanGuard, VisibilityContext } from './guard.js';

/** The last argument of `@RequireScopes`. */
export interface RequireScopesOptions {
  /**
   * Whether callers that lack a scope see the operation in lists. Default: the option `lockedTools` of the server. A call
   * is refused either way, with the scopes that it needs.
   */
  whenMissing?: 'hide' | 'list';
  /** Adds these scopes to those of the class. Default false: the scopes of a method replace those of its class. */
  withClass?: boolean;
}

/** The scopes that an operation needs, and how they were written. */
export interface RequiredScopes extends RequireScopesOptions {
  readonly scopes: readonly string[];
}

const scopeOptions = {
  whenMissing: oneOf('hide', 'list'),
  withClass: flag,
} satisfies OptionSchema<RequireScopesOptions>;

/** Scopes, and the options as the last argument. */
type ScopeArguments = [scope: string, ...moreAndOptions: (string | RequireScopesOptions)[]];

/**
 * Only callers whose token has all of these scopes may use the operation. Others do not see it in lists, unless it is
 * listed as locked. Anonymous callers have no scopes.
 *
 * @example
 * @McpTool()
 * @RequireScopes('pages:write', { whenMissing: 'list' }) async createPage(page: CreatePageDto) { … }
 */
export const RequireScopes = definePolicy('requireScopes', {
  parse: (...given: ScopeArguments): RequiredScopes => {
    const last = given.at(-1) as ScopeArguments[number] | undefined;
    if (last === undefined)
      throw new RangeError("it names no scope. Write one, such as @RequireScopes('pages:read').");
    if (Array.isArray(last))
      throw new RangeError(
        `it got a list. Write @RequireScopes(${last.map((each) => `'${each}'`).join(', ')}).`,
      );
    const options = typeof last === 'string' ? {} : parseOptions('@RequireScopes', scopeOptions, last);
    const scopes = (typeof last === 'string' ? given : given.slice(0, -1)) as string[];
    const bad = scopes.find((scope) => !oauthScope.accepts(scope));
    if (bad !== undefined) throw new RangeError(`${JSON.stringify(bad)} is not ${oauthScope.expected}.`);
    return { ...options, scopes };
  },
  combine: (outer, inner) => (inner.withClass ? united(outer, inner) : inner),
  // Only what removes a policy takes a guard away.
  add: united,
});

function united(some: RequiredScopes, others: RequiredScopes): RequiredScopes {
  return { ...some, ...others, scopes: [...new Set([...some.scopes, ...others.scopes])] };
}

/** Refuses callers that lack scopes. They may learn which: a client can ask for a token that has them. */
const planScopes: PlanGuard = (draft) => {
  const required = RequireScopes.of(draft);
  if (!required) return undefined;
  return {
    origin: required.origin,
    detail: required.options.scopes.join(' '),
    step(call, next) {
      if (hasScopes(required.options, call.request.principal)) return next();
      Object.assign(call.verdict, { outcome: 'denied', reason: 'TW_INSUFFICIENT_SCOPE' });
      call.environment.refusedCalls.count(call);
      throw new InsufficientScopeError(required.options.scopes);
    },
  };
};

function hasScopes(required: RequiredScopes | undefined, principal: Principal | undefined): boolean {
  return !required || required.scopes.every((scope) => principal?.scopes.includes(scope));
}

/** The scopes of an operation that lists also show to callers that lack them; `undefined` for one that does not. */
export function lockedScopes(
  operation: Pick<GuardedOperation, 'policies'>,
  lockedTools: PipelineOptions['lockedTools'],
): readonly string[] | undefined {
  const required = RequireScopes.of(operation)?.options;
  const { whenMissing = lockedTools === 'listed' ? 'list' : 'hide', scopes } = required ?? {};
  return whenMissing === 'list' ? scopes : undefined;
}

/**
 * Lists leave out what the caller lacks the scopes for, unless it is to be seen as locked. A call is answered with the
 * scopes that it needs.
 */
export const scopesGuard: BuiltInGuard = {
  name: 'scopes',
  position: 35,
  summary: 'Refuses callers that lack a scope.',
  decorators: { RequireScopes },
  visible: (operation, principal) => hasScopes(RequireScopes.of(operation)?.options, principal),
  staysListed: (operation, options) => lockedScopes(operation, options.lockedTools) !== undefined,
  refusesOpenly: true,
  plan: planScopes,
};

/** Asks the rules of the application: `authorize` about every operation, `mayRead` about each URI. */
function passes(
  operation: GuardedOperation,
  principal: Principal | undefined,
  { options: { authorize, mayRead }, uri, variables = {}, answers }: VisibilityContext,
): boolean {
  if (operation.audience && !isInAudience(operation.audience, principal, answers)) return false;
  // The call reads these, too.
  const place = uri === undefined ? undefined : copyData(variables);
  if (authorize && !isYes(authorize(principal, withBareName(operation), uri, place))) return false;
  if (!mayRead || uri === undefined || !isReadable(operation)) return true;
  return isYes(mayRead(principal, operation, uri, copyData(variables)));
}

function isRuled(operation: GuardedOperation, { authorize, mayRead }: PipelineOptions): boolean {
  if (operation.audience) return true;
  return authorize !== undefined || (mayRead !== undefined && isReadable(operation));
}

function isReadable(
  operation: GuardedOperation,
): operation is Omit<BoundResource | BoundResourceTemplate, 'run'> {
  return operation.kind === 'resource' || operation.kind === 'resourceTemplate';
}

/** Whether a caller is among those whom a function means. */
export function isInAudience(
  audience: Audience,
  principal: Principal | undefined,
  answers?: AudienceAnswers,
): boolean {
  const known = answers?.get(audience);
  if (known !== undefined) return known;
  const answer = isFor({ audience }, principal);
  answers?.set(audience, answer);
  return answer;
}

/** The rules of the application. Each rule that is set must say yes. */
export const authorizeGuard: BuiltInGuard = {
  name: 'authorize',
  position: 30,
  summary: 'Refuses callers that may not use the operation.',
  visible: passes,
  mayHide: isRuled,
};
