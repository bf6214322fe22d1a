import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { problemAt } from '@toolwright/ground/base/metadata/call-site';
import { findRecord } from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass, DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import { type JsonSchema, type MaybePromise, referredSchema } from '@toolwright/json';
import type { ManifestEntry, ManifestParameter } from '@toolwright/manifest';
import 'reflect-metadata';
import type { Node } from '../../container/binding.js';
import {
  ABSENT,
  classOf,
  forwarded,
  namedInjection,
  provideClass,
  strayInjections,
} from '../../container/constructor-dependencies.js';
import type { InjectRecord, InjectionToken } from '../../container/provider.js';
import { type DecoratedMethod, emittedTypes } from '../classes/service.js';
import type { LoadedManifest } from '../manifest/loaded-manifest.js';
import type { BindingServer } from './bound-service.js';
import { isBundleLikely, isClass } from './constructor-types.js';

/** A method with the parameters to bind. */
export interface InjectedMethod {
  /** `PageTools.find`, for messages. */
  readonly name: string;
  readonly target: AnyClass;
  readonly method: DecoratedMethod;
  readonly entry: ManifestEntry;
  readonly manifest: LoadedManifest;
}

/** The parameters that the container fills in, and the schema of what clients send. */
export interface Parameters {
  readonly entry: ManifestEntry;
  readonly input: JsonSchema | undefined;
  /** Undefined for an optional parameter that nothing provides. */
  readonly nodes: ReadonlyMap<number, Node | undefined>;
}

const NONE: Parameters['nodes'] = new Map();

/**
 * Separates the parameters of a method. Those with `@Inject`, and those whose type is a provided class,
 * belong to the container. The others are arguments. The compiler does the same as far as it can. Here the
 * server decides what is only known at run time, such as the list of its providers.
 */
export function bindParameters(
  source: InjectedMethod,
  binding: BindingServer,
  problems: ConfigurationProblem[],
): MaybePromise<Parameters> {
  const { entry, manifest, method } = source;
  const input = manifest.schema(entry.input);
  const types = emittedTypes(source.target, source.method);
  const stray = strayInjections(method.records, entry.parameters);
  if (stray) problems.push(strayInjected(source, stray.names));
  const wanted: Wanted[] = [];
  entry.parameters.forEach((parameter, index) => {
    const candidate = { parameter, index, type: types?.[index] };
    const found = findWanted(candidate, source, binding);
    if (found) return wanted.push({ ...candidate, ...found });
    const problem = findServiceLikeArgument(candidate, source, input);
    if (!problem) return;
    problems.push(problem);
    // The server of the application injects it, and clients do not send it.
    if (binding.unmet) wanted.push({ ...candidate, token: classOf(candidate.type), optional: true });
  });
  if (wanted.length === 0) return { entry, input, nodes: NONE };
  return linkWanted(wanted, source, { binding, problems }).then((nodes) =>
    nodes.size === 0
      ? { entry, input, nodes }
      : { entry: withInjected(entry, nodes), input: input && withoutInjected(input, entry, nodes), nodes },
  );
}

async function linkWanted(
  wanted: readonly Wanted[],
  source: InjectedMethod,
  { binding, problems }: { binding: BindingServer; problems: ConfigurationProblem[] },
): Promise<Parameters['nodes']> {
  const nodes = new Map<number, Node | undefined>();
  for (const { parameter, index, optional, token: known } of wanted) {
    const where = `parameter ${index} (${parameter.name})`;
    if (parameter.kind === 'rest') problems.push(restInjected(source, where));
    const token = known ?? (await binding.constructorTypes.find(source.manifest, parameter));
    if (token === undefined) {
      problems.push(unresolvable(source, where, parameter));
      continue;
    }
    await binding.constructorTypes.prepare(token);
    const user = { name: source.name, site: siteOf(source) };
    nodes.set(index, binding.container.linkParameter({ token, optional, where }, user));
  }
  return nodes;
}

interface Candidate {
  readonly parameter: ManifestParameter;
  readonly index: number;
  readonly type: unknown;
}

/** A parameter for the container. */
interface Wanted extends Candidate {
  readonly token: InjectionToken | undefined;
  readonly optional: boolean;
}

/** Undefined for an argument. The token is missing if only the manifest knows it. */
function findWanted(
  { parameter, index, type }: Candidate,
  { method }: InjectedMethod,
  { container }: BindingServer,
): Omit<Wanted, keyof Candidate> | undefined {
  const record = findRecord<InjectRecord>(method.parameters.get(index) ?? [], 'inject');
  const inject = record?.options ?? namedInjection(method.records, parameter.name);
  const optional = inject?.optional ?? parameter.optional ?? false;
  if (inject) return { token: forwarded(inject.token), optional };
  const token = classOf(type);
  if (parameter.kind === 'inject') return parameter.inject === 'provider' ? { token, optional } : undefined;
  return token !== undefined && container.provides(token) ? { token, optional } : undefined;
}
function siteOf({ method }: InjectedMethod): DecoratorRecord['site'] | undefined {
  return method.records[0]?.site;
}

function withInjected(entry: ManifestEntry, nodes: Parameters['nodes']): ManifestEntry {
  const parameters = entry.parameters.map((parameter, index): ManifestParameter =>
    nodes.has(index) ? { name: parameter.name, kind: 'inject', inject: 'provider' } : parameter,
  );
  const revived = Object.entries(entry.revive.input ?? {}).filter(
    ([name]) => !entry.parameters.some((each, index) => nodes.has(index) && keyOf(each) === name),
  );
  return { ...entry, parameters, revive: { ...entry.revive, input: Object.fromEntries(revived) } };
}

/**
 * Removes parameters that the compiler took for arguments. A client that sends one gets the answer that it is
 * unknown.
 */
function withoutInjected(
  input: JsonSchema,
  { parameters }: ManifestEntry,
  nodes: Parameters['nodes'],
): JsonSchema {
  const published = parameters.filter(({ kind }, index) => kind !== 'inject' && nodes.has(index));
  if (published.length === 0) return input;
  if (published.some(({ kind }) => kind === 'input')) return { type: 'object', additionalProperties: false };
  const names = new Set(published.map(({ name }) => name));
  const { properties = {}, required = [], ...rest } = input;
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
    required: required.filter((name) => !names.has(name)),
  };
}

/** The key of a parameter's revival. */
function keyOf({ kind, name }: ManifestParameter): string {
  return kind === 'input' ? '' : name;
}

function unresolvable(
  source: InjectedMethod,
  where: string,
  parameter: ManifestParameter,
): ConfigurationProblem {
  if (emittedTypes(source.target, source.method) === undefined && isClass(parameter)) {
    const { target, manifest, entry } = source;
    if (!isBundleLikely(target, { manifest, key: entry.class }, parameter)) {
      const { type = 'its class' } = parameter;
      return problemAt(siteOf(source), 'TW_DEPENDENCY_MISSING', {
        message: `Nothing provides ${type}: ${source.name} needs ${type} as ${where}.`,
        fix: provideClass(type),
      });
    }
    const message = `The container cannot know what to inject for ${where} of ${source.name}: ${ABSENT.cause}.`;
    return problemAt(siteOf(source), 'TW_DEPENDENCY_UNKNOWN', { message, fix: ABSENT.fix });
  }
  return problemAt(siteOf(source), 'TW_DEPENDENCY_UNKNOWN', {
    message: `The container cannot know what to inject for ${where} of ${source.name}: its type did not exist when the method was decorated.`,
    fix: 'Write @Inject(token) before it, or @Inject(() => TheClass) where modules import each other.',
  });
}

function strayInjected(source: InjectedMethod, names: readonly string[]): ConfigurationProblem {
  const known = source.entry.parameters.map(({ name }) => name).join(', ');
  return problemAt(siteOf(source), 'TW_DEPENDENCY_UNKNOWN', {
    message: `@Inject on ${source.name} names ${names.join(', ')}, which is no parameter of this method.`,
    fix: `Use the names of the parameters: ${known || 'there are none'}.`,
  });
}

function restInjected(source: InjectedMethod, where: string): ConfigurationProblem {
  return problemAt(siteOf(source), 'TW_DECORATOR_PLACE', {
    message: `@Inject is before ${where} of ${source.name}, but this is a rest parameter, which takes many values.`,
    fix: 'Inject a list into an ordinary parameter.',
  });
}

/**
 * Finds an argument whose type is a class with methods and without data. No client could send it. The author
 * means a service, but nothing provides it.
 */
function findServiceLikeArgument(
  { parameter, index, type: emitted }: Candidate,
  source: InjectedMethod,
  input: JsonSchema | undefined,
): ConfigurationProblem | undefined {
  const type = classOf(emitted);
  if (typeof type !== 'function' || !hasMethods(type) || !isEmpty(publishedSchema(parameter, input)))
    return undefined;
  const { name } = type;
  const problem = problemAt(siteOf(source), 'TW_DEPENDENCY_MISSING', {
    message: `Nothing provides ${name}: ${source.name} needs it as parameter ${index} (${parameter.name}), and no client can send it, because it has methods and no data.`,
    fix: `Add ${name} to the server's providers, put @Injectable() on it, or write @Inject(token) before the parameter.`,
  });
  return { ...problem, lacks: `a provider of ${name}` };
}

function hasMethods(type: AnyClass): boolean {
  // For the compiler, classes of the language and of Node are values.
  const isOwn = /^class\b/.test(Function.prototype.toString.call(type)) && !(type.name in globalThis);
  return isOwn && Object.getOwnPropertyNames(type.prototype).length > 1;
}

function publishedSchema(
  { kind, name }: ManifestParameter,
  input: JsonSchema | undefined,
): JsonSchema | undefined {
  const schema = kind === 'input' ? input : input?.properties?.[name];
  return schema && referredSchema(schema, input!);
}

function isEmpty(schema: JsonSchema | undefined): boolean {
  if (schema?.type !== 'object' || typeof schema.additionalProperties === 'object') return false;
  return Object.keys(schema.properties ?? {}).length === 0 && !schema.patternProperties;
}
