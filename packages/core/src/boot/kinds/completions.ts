import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { problemAt } from '@toolwright/ground/base/metadata/call-site';
import {
  type MethodRecords,
  collectRecords,
  findRecord,
} from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass, DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import { fillIn } from '@toolwright/ground/call/invoke';
import type { Target } from '@toolwright/ground/call/operation/draft';
import type { Call, Complete } from '@toolwright/ground/call/operation/operation';
import { lazily, planKnownFromText, type MaybePromise, after } from '@toolwright/json';
import type { Node } from '../../container/binding.js';
import { forwarded } from '../../container/constructor-dependencies.js';
import { type InjectRecord, type InjectionToken, describeToken } from '../../container/provider.js';
import type { AnyCompletionSource, CompletionOptions } from '../../decorators/completion-provider.js';
import {
  type BindingServer,
  type BoundMethod,
  injectedValues,
  instanceSource,
  scopeOpener,
} from '../services/bound-service.js';

/** Makes a completion that asks what the container provides for a token. */
export type CompletionResolver = (token: InjectionToken<AnyCompletionSource>) => Complete;

/** The completions of a method's arguments: those of `@CompletionProvider`, and those of enums. */
export function bindCompletions(source: BoundMethod, resolve: CompletionResolver): Record<string, Complete> {
  const complete: Record<string, Complete> = {};
  for (const [name, schema] of Object.entries(source.input?.properties ?? {})) {
    const values = (schema.enum ?? []).filter((value) => typeof value === 'string');
    if (values.length > 0) complete[name] = startingWith(values);
  }
  const read = lazily(() => planKnownFromText(source.input ?? {}));
  for (const [name, options] of declared(source)) complete[name] = completeWith(options, { resolve, read });
  return complete;
}

function declared({ method, entry }: BoundMethod): readonly Declared[] {
  if (method.parameters.size === 0 && !method.records.some(isCompletion)) return NONE;
  const found: Declared[] = [];
  const keep = (record: DecoratorRecord, parameter: string | undefined) => {
    if (!isCompletion(record)) return;
    const argument = record.options.argument ?? parameter;
    if (argument !== undefined) found.push([argument, record.options]);
  };
  for (const record of method.records) keep(record, undefined);
  for (const [index, records] of method.parameters)
    for (const record of records) keep(record, entry.parameters[index]?.name);
  return found;
}

function isCompletion(record: DecoratorRecord): record is DecoratorRecord<CompletionOptions> {
  return record.kind === 'completion';
}

interface Completing {
  resolve: CompletionResolver;
  /** Converts the known arguments to the types of the signature. */
  read: () => ReturnType<typeof planKnownFromText>;
}

type Declared = [argument: string, CompletionOptions];
const NONE: readonly Declared[] = [];
function completeWith(options: CompletionOptions, { resolve, read }: Completing): Complete {
  if ('values' in options) return startingWith(options.values);
  if ('enum' in options) return startingWith(enumMembers(options.enum));
  const complete = resolve(options.provider);
  // They are converted like the method's own arguments: the signature gives their types, not the protocol.
  return (value, known, request, call) =>
    complete(value, read()(known) as Record<string, string>, request, call);
}

function startingWith(values: readonly string[]): Complete {
  const complete = (typed: string) => {
    const start = typed.toLowerCase();
    return values.filter((value) => value.toLowerCase().startsWith(start));
  };
  return Object.assign(complete, { values });
}

/** A numeric TypeScript enum also maps its values back to their names. These names are not values. */
function enumMembers(members: Record<string, string | number>): string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    members[value] === name && value !== name ? [] : [String(value)],
  );
}

/**
 * How many parameters of `complete` the framework fills in: the typed text, the other arguments, and the
 * request.
 */
const GIVEN = 3;

/** Binds completion providers, and what the container passes to their `complete`. */
export class CompletionBinder {
  /** The classes among the parameters of `complete`, by provider. */
  private readonly types = new Map<InjectionToken, readonly (InjectionToken | undefined)[]>();

  constructor(
    private readonly binding: Pick<BindingServer, 'container' | 'kernel' | 'constructorTypes'>,
    private readonly nodes: Set<Node>,
    private readonly problems: ConfigurationProblem[],
  ) {}

  /** Finds what the completion providers of these methods need. `bind` cannot wait for modules. */
  async prepare(methods: readonly Pick<MethodRecords, 'records' | 'parameters'>[]): Promise<void> {
    const { container, constructorTypes } = this.binding;
    for (const token of methods.flatMap(providersOf)) {
      await constructorTypes.prepare(token);
      const target = container.wants(token).target ?? token;
      if (typeof target !== 'function' || this.types.has(token)) continue;
      if (typeof (target.prototype as Partial<AnyCompletionSource>).complete !== 'function') continue;
      const types = await constructorTypes.completeTypes(target as AnyClass);
      for (const type of types) if (type !== undefined) await constructorTypes.prepare(type);
      this.types.set(token, types);
    }
  }

  /**
   * Completes by asking the provider of a token. Problems are collected; with a problem, it completes
   * nothing.
   */
  bind(token: InjectionToken<AnyCompletionSource>): Complete {
    const { container, kernel } = this.binding;
    const node = container.link(token);
    if (!node) return () => [];
    const wanted = this.#parameters(node, token);
    for (const each of [node, ...wanted.values()]) if (each) this.nodes.add(each);
    return completeFrom({
      instance: instanceSource(node, kernel),
      openScope: scopeOpener([node, ...wanted.values()], kernel),
      injected: injectedValues(wanted, kernel),
    });
  }

  #parameters({ binding }: Node, asked: InjectionToken): ReadonlyMap<number, Node | undefined> {
    const nodes = new Map<number, Node | undefined>();
    const target = binding.target ?? (typeof binding.token === 'function' ? binding.token : undefined);
    const complete = target && (target.prototype as Partial<AnyCompletionSource>).complete;
    if (!target || typeof complete !== 'function') return nodes;
    const { container } = this.binding;
    const name = `${describeToken(target)}.complete`;
    const records = completeRecords(target);
    const types = this.types.get(asked) ?? [];
    for (let index = 0; index < Math.max(complete.length, types.length); index++) {
      const record = findRecord<InjectRecord>(records?.parameters.get(index) ?? [], 'inject');
      const type = types[index];
      const token = record
        ? forwarded(record.options.token)
        : type !== undefined && container.provides(type)
          ? type
          : undefined;
      if (token === undefined) continue;
      const dependency = { token, optional: record?.options.optional ?? false, where: `parameter ${index}` };
      nodes.set(index, container.linkParameter(dependency, { name, site: record?.site }));
    }
    if (complete.length - nodes.size > GIVEN) this.problems.push(tooMany(name, records));
    return nodes;
  }
}

/** The tokens of the completion providers of a method and of its parameters. */
function providersOf({
  records,
  parameters,
}: Pick<MethodRecords, 'records' | 'parameters'>): InjectionToken<AnyCompletionSource>[] {
  const all = parameters.size === 0 ? records : [...records, ...[...parameters.values()].flat()];
  return all.filter(isCompletion).flatMap(({ options }) => ('provider' in options ? [options.provider] : []));
}

function completeRecords(target: AnyClass): MethodRecords | undefined {
  return collectRecords(target).methods.find(
    ({ method, static: isStatic }) => method === 'complete' && !isStatic,
  );
}

/** The values from the framework take, in their order, the positions that the container does not fill. */
function completeFrom({
  instance,
  openScope,
  injected = [],
}: Pick<Target, 'instance' | 'openScope' | 'injected'>): Complete {
  const taken = new Set(injected.map(({ index }) => index));
  const all = Array.from({ length: GIVEN + taken.size }, (_, index) => index);
  const open = all.filter((index) => !taken.has(index));
  return (value, known, request, call) => {
    const scope = openScope?.(call!);
    if (scope) {
      // The last one registered runs first.
      (call as Call).onEnd(() => scope.leave());
      (call as Call).onEnd(() => scope.dispose());
    }
    const args: unknown[] = [];
    [value, known, request].forEach((given, index) => (args[open[index]!] = given));
    return after(
      () =>
        instance(scope) as MaybePromise<{ complete(...all: unknown[]): ReturnType<Complete> } | undefined>,
      (source) =>
        after(
          () => fillIn(args, injected, scope),
          () => source?.complete(...args) ?? [],
        ),
    );
  };
}

function tooMany(name: string, records: MethodRecords | undefined): ConfigurationProblem {
  const site = [...(records?.parameters.values() ?? [])].flat()[0]?.site;
  return problemAt(site, 'TW_DEPENDENCY_UNKNOWN', {
    message: `The container cannot know what to inject for the last parameters of ${name}: it gets only the typed text, the other arguments and the request.`,
    fix: 'Write @Inject(token) before each parameter that the container is to fill in.',
  });
}
