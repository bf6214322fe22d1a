import { isPromise, type MaybePromise } from '@toolwright/json';
import type { ActiveCall } from './active-call.js';
import { leavesOutWhole, type CallScope, type InjectedParameter, type Target } from './operation/draft.js';

type Argument = (call: ActiveCall) => unknown;

/**
 * Plans the call of a method: the positions of named arguments, the framework's own parameters, and the
 * instance. A request scope is only opened if the container needs one.
 */
export function planInvocation(target: Target): (call: ActiveCall) => MaybePromise<unknown> {
  const positions = planPositions(target);
  const method = target.method as (...args: unknown[]) => unknown;
  const { injected, around } = target;
  const invoke = around
    ? (instance: unknown, args: unknown[], call: ActiveCall) =>
        around(call, instance, () => method.apply(instance, args))
    : (instance: unknown, args: unknown[]) => method.apply(instance, args);
  const run = (instance: unknown, call: ActiveCall) => {
    const args = positions(call);
    if (!injected) return collect(invoke(instance, args, call), call);
    const filled = fillIn(args, injected, scopeOf(call, target));
    return isPromise(filled)
      ? filled.then(() => collect(invoke(instance, args, call), call))
      : collect(invoke(instance, args, call), call);
  };
  // An instance that lives as long as the server is requested once.
  let single: { instance: unknown } | undefined;
  return (call) => {
    if (single) return run(single.instance, call);
    const instance = instanceFor(call, target);
    if (isPromise(instance)) return instance.then((ready) => run(ready, call));
    if (!target.openScope) single = { instance };
    return run(instance, call);
  };
}

/** The object that the method is called on. It is the same for the whole call. */
export function instanceFor(call: ActiveCall, target: Target): MaybePromise<unknown> {
  return target.instance(scopeOf(call, target));
}

const nothing = (): void => undefined;

/** The scope with the instances of the call, opened at the first request. */
function scopeOf(call: ActiveCall, target: Target): CallScope | undefined {
  if (!target.openScope) return undefined;
  if (!call.scope) {
    const scope = target.openScope(call);
    call.onEnd(() => scope.dispose());
    call.hold({ suspend: nothing, resume: nothing, release: () => scope.leave() });
    call.scope = scope;
  }
  return call.scope;
}

/** Puts the container's values at their positions. It is synchronous if the container is. */
export function fillIn(
  args: unknown[],
  injected: readonly InjectedParameter[],
  scope: CallScope | undefined,
  start = 0,
): MaybePromise<void> {
  for (let next = start; next < injected.length; next++) {
    const { index, value } = injected[next]!;
    const provided = value(scope);
    if (provided instanceof Promise) {
      return provided.then((ready) => {
        args[index] = ready;
        return fillIn(args, injected, scope, next + 1);
      });
    }
    args[index] = provided;
  }
}

function planPositions({ parameters }: Target): (call: ActiveCall) => unknown[] {
  if (!parameters) return (call) => [call.arguments, call.context];
  const last = parameters.at(-1);
  const rest = last?.kind === 'rest' ? last.name : undefined;
  const omits = leavesOutWhole(parameters);
  const fixed = parameters
    .filter(({ kind }) => kind !== 'rest')
    .map((parameter) => planArgument(parameter, omits));
  if (rest === undefined) return (call) => fixed.map((argument) => argument(call));
  return (call) => [
    ...fixed.map((argument) => argument(call)),
    ...((own(call.arguments, rest) as unknown[] | undefined) ?? []),
  ];
}

function planArgument(
  { name, kind, inject }: NonNullable<Target['parameters']>[number],
  omits: ReturnType<typeof leavesOutWhole>,
): Argument {
  if (kind === 'input')
    return omits ? (call) => (omits(call.arguments) ? undefined : call.arguments) : (call) => call.arguments;
  if (kind === 'inject') return planInjection(inject);
  return (call) => own(call.arguments, name);
}

function planInjection(inject: NonNullable<Target['parameters']>[number]['inject']): Argument {
  if (inject === 'AbortSignal') return (call) => call.signal;
  // Left empty for the container.
  return inject === 'provider' ? () => undefined : (call) => call.context;
}

/** If a parameter named `constructor` is missing, its value must not be `Object`. */
function own(args: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** All items of an AsyncIterable in one array. Each item is reported as progress. */
function collect(value: unknown, call: ActiveCall): MaybePromise<unknown> {
  if (isPromise(value)) return value.then((settled) => collect(settled, call));
  return isAsyncIterable(value) ? drain(value, call) : value;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function drain(source: AsyncIterable<unknown>, call: ActiveCall): Promise<unknown[]> {
  const iterator = source[Symbol.asyncIterator]();
  let open = true;
  // A generator that nobody reads any more keeps its resources until `return` is called.
  call.onEnd(() => (open ? void Promise.resolve(iterator.return?.()).catch(() => undefined) : undefined));
  const items: unknown[] = [];
  for (let step = await iterator.next(); !step.done; step = await iterator.next()) {
    items.push(step.value);
    call.context.reportItem(items.length, step.value);
    if (call.signal.aborted) break;
  }
  open = call.signal.aborted;
  return items;
}

/** Counts the running calls of one service, so that it is not disposed during a call. */
export class CallCounter {
  private running = 0;
  private waiting: (() => void)[] = [];

  /** Counts every call of `method` until it has settled. */
  count<Method extends (...args: never[]) => unknown>(method: Method): Method {
    const { enter, leave } = this;
    return function (this: unknown, ...args: never[]) {
      enter();
      let result: unknown;
      try {
        result = method.apply(this, args);
      } catch (error) {
        leave();
        throw error;
      }
      if (isPromise(result)) void result.then(leave, leave);
      else leave();
      return result;
    } as Method;
  }

  /** Resolves when no call is running. */
  whenIdle(): Promise<void> {
    return this.running === 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  private readonly enter = (): void => void this.running++;

  private readonly leave = (): void => {
    this.running--;
    if (this.running === 0) for (const resolve of this.waiting.splice(0)) resolve();
  };
}
