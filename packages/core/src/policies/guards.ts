import type { BackgroundNoun } from '@toolwright/ground/base/extended';
import type { Principal } from '@toolwright/ground/base/request-context';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { PipelineOptions } from '@toolwright/ground/call/call-options';
import type { Environment } from '@toolwright/ground/call/environment';
import type { AnyDraft } from '@toolwright/ground/call/operation/draft';
import { addressOf } from '@toolwright/ground/call/operation/keys';
import type { StepOrigin } from '@toolwright/ground/call/operation/operation';
import type { ResourceVariables } from '@toolwright/ground/call/operation/registry';
import { refuseHidden } from '@toolwright/ground/call/refuse';
import { aroundGuard, aroundLimitsGuard } from './around.js';
import { auditGuard } from './audit/audit.js';
import { authorizeGuard, scopesGuard } from './authorize.js';
import { cacheGuard } from './cache.js';
import { serverConcurrencyGuard, toolConcurrencyGuard } from './concurrency.js';
import { confirmGuard, questionGuard } from './confirm/ask-to-confirm.js';
import type { Policy } from './define-policy.js';
import { errorsGuard } from './errors.js';
import {
  type BuiltInGuard,
  type GuardedOperation,
  type PlanGuard,
  type PlannedStep,
  type VisibilityContext,
  planPart,
} from './guard.js';
import { continueGuard } from './output/continue-output.js';
import { outputGuard } from './output/guard-output.js';
import { rateLimitGuard } from './rate-limit.js';
import { taskClientGuard, taskStartGuard } from './start-task.js';
import { deadlineGuard, earlyDeadlineGuard } from './timeout.js';
import { revivalGuard, validationGuard } from './validate.js';
import { conversionGuard } from './standard-schemas.js';

/**
 * All built-in guards, outermost first. Each has its own position. Guards that refuse cheaply come early, and
 * run no code of the tool's author. All code of the author, validators included, runs inside the deadline and
 * the slots. A person is asked only when it is known that the call would be carried out. While the person
 * thinks, the clock stops and the slot is free for others. Every result passes the output guard last.
 */
export const guards: readonly BuiltInGuard[] = [
  aroundGuard,
  aroundLimitsGuard,
  auditGuard,
  authorizeGuard,
  cacheGuard,
  confirmGuard,
  continueGuard,
  conversionGuard,
  deadlineGuard,
  earlyDeadlineGuard,
  errorsGuard,
  outputGuard,
  questionGuard,
  rateLimitGuard,
  revivalGuard,
  scopesGuard,
  serverConcurrencyGuard,
  taskClientGuard,
  taskStartGuard,
  toolConcurrencyGuard,
  validationGuard,
].sort((one, other) => one.position - other.position);

/** The built-in policies by the names of their decorators. */
export const builtInPolicies: ReadonlyMap<string, Policy<never[], unknown>> = new Map(
  guards.flatMap(({ decorators = {} }) => Object.entries(decorators)),
);

/** The guards of a server that packages have added some to, by its options: a server may be copied. They are outermost first. */
const extended = new WeakMap<PipelineOptions, readonly BuiltInGuard[]>();

/** A server, by its options. */
type WithOptions = Pick<Environment, 'options'>;

/** All guards of a server: the built-in ones, and the guards that packages have added. */
export function guardsOf({ options }: WithOptions): readonly BuiltInGuard[] {
  return extended.get(options) ?? guards;
}

/** Adds guards to one server. Chains that are planned afterwards have them. */
export function addGuards(server: WithOptions, added: readonly BuiltInGuard[]): void {
  const all = [...guardsOf(server), ...added];
  extended.set(
    server.options,
    all.sort((one, other) => one.position - other.position),
  );
}

/**
 * The position at which calls of hidden operations are refused. It is outside of every guard whose answer would show
 * that the operation exists.
 */
const VISIBILITY = 30;

/** Where middleware of the application and of its policies runs: inside of all guards with a smaller position. */
export const MIDDLEWARE = 150;

/** The part of an operation's chain that guards make, outermost first. */
interface GuardSteps {
  /** The guards around the middleware. */
  readonly around: readonly PlannedStep[];
  /** The guards between the middleware and the method. */
  readonly inside: readonly PlannedStep[];
}

/** @throws {ConfigurationError} when the options of a policy cannot be used */
export function planGuards(draft: AnyDraft, environment: Environment): GuardSteps {
  const all = guardsOf(environment);
  const steps = (chosen: readonly BuiltInGuard[]) =>
    chosen.flatMap((guard) => (guard.plan ? named(guard, guard.plan, draft, environment) : []));
  return {
    around: [
      ...steps(all.filter(({ position }) => position < VISIBILITY)),
      ...planVisibility(draft, environment),
      ...steps(all.filter(({ position }) => position >= VISIBILITY && position < MIDDLEWARE)),
    ],
    inside: steps(all.filter(({ position }) => position >= MIDDLEWARE)),
  };
}

/** Plans the same for the completions of its arguments. */
export function planCompletionGuards(draft: AnyDraft, environment: Environment): PlannedStep[] {
  return guardsOf(environment).flatMap((guard) =>
    guard.planCompletion ? named(guard, guard.planCompletion, draft, environment) : [],
  );
}

/** Plans the same for runs of a background method. */
export function planBackgroundGuards(
  draft: AnyDraft,
  environment: Environment,
  noun: BackgroundNoun,
): PlannedStep[] {
  return guards.flatMap(({ name, planBackground }) => {
    const planned = planBackground?.(draft, environment, noun);
    return planned ? [{ name, origin: 'default', ...planned }] : [];
  });
}

/** The names of the policies that count for runs of a background method. */
export const backgroundPolicies: ReadonlySet<string> = new Set(
  guards.flatMap(({ planBackground, decorators = {} }) =>
    planBackground ? Object.values(decorators).map(({ policyName }) => policyName) : [],
  ),
);

function named(
  guard: BuiltInGuard,
  plan: PlanGuard,
  draft: AnyDraft,
  environment: Environment,
): PlannedStep[] {
  const part = { name: guard.name, origin: originOf(guard, draft), draft };
  return planPart(part, environment, () => {
    const planned = plan(draft, environment);
    return planned && { origin: 'default', ...planned, name: guard.name };
  });
}

/** What `visible` is given of a server. */
type JudgingServer = WithOptions & Pick<Environment, 'clock' | 'localLimiter'>;

/** A resource at one URI, with the values of its template's variables. */
type Place = readonly [uri: string, variables: ResourceVariables];

/**
 * True when this principal may see and use the operation. The same guards decide about lists and calls, so the two
 * never differ.
 *
 * @param place the URI that is read or watched. Default: that of a resource, and none for a template
 */
export function isVisible(
  operation: GuardedOperation,
  principal: Principal | undefined,
  server: JudgingServer,
  place: Place | undefined = ownPlace(operation),
): boolean {
  const context = contextOf(server, place);
  return guardsOf(server).every(({ visible }) => !visible || visible(operation, principal, context));
}

/** True when lists show this operation to this principal: it is visible, or shown as locked. */
export function isListed(
  operation: GuardedOperation,
  principal: Principal | undefined,
  server: JudgingServer,
  answers: VisibilityContext['answers'],
): boolean {
  const context = { answers, ...contextOf(server, ownPlace(operation)) };
  return guardsOf(server).every(
    ({ visible, staysListed }) =>
      !visible ||
      visible(operation, principal, context) ||
      (staysListed?.(operation, server.options) ?? false),
  );
}

/** The place of a resource. A template has none until somebody fills in its variables. */
function ownPlace(operation: GuardedOperation): Place | undefined {
  return operation.kind === 'resource' ? [addressOf(operation), {}] : undefined;
}

/** True when the answer of `isVisible` may differ between principals. */
export function dependsOnCaller(operation: GuardedOperation, server: WithOptions): boolean {
  return guardsOf(server).some((guard) => mayHide(guard, operation, server));
}

/** One step for each guard that may hide the operation, unless its own step refuses such calls. */
function planVisibility(draft: AnyDraft, environment: Environment): PlannedStep[] {
  return guardsOf(environment)
    .filter((guard) => !guard.refusesOpenly && mayHide(guard, draft, environment))
    .map((guard) => ({
      name: guard.name,
      origin: originOf(guard, draft),
      step: (call, next) => {
        const context = contextOf(environment, placeOf(call));
        return guard.visible!(call.operation, call.request.principal, context) ? next() : refuseHidden(call);
      },
    }));
}

function mayHide(guard: BuiltInGuard, operation: GuardedOperation, { options }: WithOptions): boolean {
  if (!guard.visible) return false;
  const { decorators, mayHide: may } = guard;
  return may ? may(operation, options) : !decorators || policyIn(guard, operation) !== undefined;
}

function originOf(guard: BuiltInGuard, operation: GuardedOperation): StepOrigin {
  return policyIn(guard, operation)?.origin ?? 'server';
}

function policyIn({ decorators = {} }: BuiltInGuard, operation: GuardedOperation) {
  return Object.values(decorators).flatMap((policy) => policy.of(operation) ?? [])[0];
}

/** What a call reads. It is asked before validation, so the variables are still text. */
function placeOf({ operation, request, arguments: variables }: ActiveCall): Place | undefined {
  const isRead = operation.kind === 'resource' || operation.kind === 'resourceTemplate';
  return isRead ? [request.uri ?? addressOf(operation), variables as ResourceVariables] : undefined;
}

function contextOf(
  { options, clock, localLimiter }: JudgingServer,
  place: Place | undefined,
): VisibilityContext {
  const server = { options, clock, localLimiter };
  return place ? { uri: place[0], variables: place[1], ...server } : server;
}
