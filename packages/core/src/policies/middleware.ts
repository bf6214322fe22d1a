import { MisusedNextError } from '@toolwright/ground/base/errors/errors';
import { type OperationKind, factsOf } from '@toolwright/ground/base/operation-kinds';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { AttachedMiddleware } from '@toolwright/ground/call/call-options';
import type { Environment } from '@toolwright/ground/call/environment';
import { type AnyDraft, contractOf } from '@toolwright/ground/call/operation/draft';
import type {
  Middleware,
  Next,
  OfKind,
  Planned,
  StepOrigin,
} from '@toolwright/ground/call/operation/operation';
import { type MaybePromise, afterwards, isPromise } from '@toolwright/json';
import type { ClassOrMethodDecorator } from '../decorators/recording.js';
import { type Policy, definePolicy, policyValues } from './define-policy.js';
import { type PlannedStep, planPart } from './guard.js';

/** `UseMiddleware`. A decorator cannot see what it decorates, so its type parameter says the kind. */
interface UseMiddlewarePolicy extends Pick<
  Policy<[Middleware, ...Middleware[]], readonly Middleware[]>,
  'policyName' | 'of' | 'entry'
> {
  <K extends OperationKind = OperationKind>(
    ...middleware: [Middleware<OfKind<K>>, ...Middleware<OfKind<K>>[]]
  ): ClassOrMethodDecorator;
}

/**
 * Puts middleware around a tool, prompt or resource, or around all operations of a class. The first
 * middleware is the outermost. The middleware of a class runs outside that of its methods. Middleware runs
 * after all guards. It sees the validated and revived arguments, and the shaped result.
 *
 * @example
 * @McpTool()
 * @UseMiddleware<'tool'>(async (call, next) => { const result = await next(); count(result.content.length);
 * return result; }) async search(query: string) { … }
 */
export const UseMiddleware: UseMiddlewarePolicy = definePolicy('useMiddleware', {
  parse: (...middleware: [Middleware, ...Middleware[]]): readonly Middleware[] => middleware,
  combine: (outer, inner) => [...outer, ...inner],
  add: (there, added) => [...there, ...added.filter((each) => !there.includes(each))],
});

/** The middleware of authors: first the server's, then that of their own policies, then `@UseMiddleware`. */
export function planUserMiddleware(draft: AnyDraft, environment: Environment): PlannedStep[] {
  const { options } = environment;
  const operation = describe(draft);
  const attached = (options.middleware ?? [])
    .map((entry): AttachedMiddleware => (typeof entry === 'function' ? { middleware: entry } : entry))
    .filter(({ appliesTo, when }) => (appliesTo?.includes(draft.kind) ?? true) && (!when || when(operation)))
    .map(({ middleware }) => toStep(middleware, 'server'));
  const ofPolicies = policyValues(draft.policies).flatMap(({ name, value, origin: written }) => {
    const origin = written as StepOrigin;
    return planPart({ name, origin, draft }, environment, () => {
      const middleware = value.definition.plan?.(value.options as never, operation);
      return middleware && toStep(middleware, origin, name);
    });
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
    // Rules know all versions of a tool by one name.
    name: draft.versionOf ?? draft.name,
    get contract() {
      return contractOf(draft);
    },
  } as Planned;
}

function toStep(
  middleware: Middleware,
  origin: StepOrigin,
  name = middleware.name || 'middleware',
): PlannedStep {
  const step = middleware as unknown as PlannedStep['step'];
  return { name, origin, step: (call, next) => new MiddlewareRun(call, next, name).through(step) };
}

/** One call in one middleware of an author. `next()` works once, and only until the middleware ends. */
class MiddlewareRun {
  #isUsed = false;
  #isOver = false;

  constructor(
    private readonly call: ActiveCall,
    private readonly rest: Next<unknown>,
    /** The name of the middleware, for messages. */
    private readonly name: string,
  ) {}

  through(step: PlannedStep['step']): MaybePromise<unknown> {
    this.call.hasBegun = true;
    return afterwards(
      () => step(this.call, () => this.#next()),
      () => void (this.#isOver = true),
    );
  }

  #next(): MaybePromise<unknown> {
    const { call, name } = this;
    // A second `next()` would run the method again, with one record in the audit log and for the points of one call.
    if (this.#isUsed) throw new MisusedNextError(name, 'a second time');
    if (this.#isOver || call.isGivenUp) throw new MisusedNextError(name, 'after the call had ended');
    this.#isUsed = true;
    const running = this.rest();
    // The middleware need not wait for it, but its slot does. An error that nobody handles must not end the
    // process.
    if (isPromise(running)) call.track(running);
    return running;
  }
}
