import type { Icon } from '@toolwright/ground/base/content';
import { problemsAt, type ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import {
  type DecoratorRecord,
  type PolicyEntry,
  type PolicyMap,
  hasPolicies,
  mergePolicies,
} from '@toolwright/ground/base/metadata/store';
import { isOperationKind, operationKinds } from '@toolwright/ground/base/operation-kinds';
import type { AnyOptionSchema, OptionSchema } from '@toolwright/ground/base/options/option-schema';
import {
  anything,
  callback,
  jsonObject,
  policyEntries,
  recordOf,
  required,
} from '@toolwright/ground/base/options/rules';
import type { ToolContext } from '@toolwright/ground/call/context/tool-context';
import type { Environment } from '@toolwright/ground/call/environment';
import type { Draft, Target, AnyDraft } from '@toolwright/ground/call/operation/draft';
import type { Audience, BoundOperation } from '@toolwright/ground/call/operation/operation';
import type { Features } from '@toolwright/wire/revision-record';
import { isPolicyValue, readPolicy } from '../../policies/define-policy.js';
import { type PolicyEntries, addPolicies } from '../../policies/change-policies.js';
import { kindOf } from '../checks/check-service.js';
import type { DecoratedKind } from '../classes/service.js';
import type { BoundMethod } from '../services/bound-service.js';
import type { CompletionResolver } from './completions.js';
import { type JsonSchema, PATTERN_FIX, findPatternProblems, findSchemaProblems } from '@toolwright/json';
import { classOperationName, type ManifestEntry } from '@toolwright/manifest';

/** What the source says about a method, beside its decorator. */
interface Declared {
  readonly input: JsonSchema;
  readonly output: JsonSchema | undefined;
  /** True for an option whose value is only known at run time. */
  isComputed(option: string): boolean;
}

/** The options of a decorator as its source says them, with what all definitions have. */
type DeclaredDefinition = OperationDefinition & Readonly<Record<string, unknown>>;

/**
 * How a server comes to operations of one kind: from a decorated method, from a definition that is added at run time,
 * or from what a source says; what is checked about them; what lists show; how they run. To add a kind, see
 * docs/architecture.md.
 */
export interface KindRecord<O extends BoundOperation, D extends object, Options> {
  /** The options of the decorator. */
  readonly options: AnyOptionSchema;
  /** The options of a definition. */
  readonly definitionOptions: AnyOptionSchema;
  draft(source: BoundMethod, record: DecoratorRecord<Options>, resolve: CompletionResolver): Draft<O>;
  define(definition: D): Draft<O>;
  /** Makes a draft of what the source says, without running it. @returns undefined when too much is only known at run time */
  declare(common: DeclaredDefinition, declared: Declared): Draft<O> | undefined;
  /** The changes of a definition that follow from a change. */
  implied?(known: Draft<O>, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /**
   * Reports what must not be published, or what clients would drop the operation for.
   *
   * @param inputs the schema of the arguments, where the kind does not publish one
   */
  check?(draft: Draft<O>, report: Report, inputs: JsonSchema | undefined): void;
  /** What lists show of it before clients use it. */
  publish(draft: Draft<O>, features: Features): Readonly<Record<string, unknown>>;
  /** @throws {ConfigurationError} when the options of a policy cannot be used */
  plan(draft: Draft<O>, environment: Environment): O;
}

/** What the definitions of all kinds have beside the options of their decorators. */
export interface Handled {
  /**
   * The same as `meta`. It lets you pass on a definition in the form in which another server publishes it.
   */
  _meta?: Record<string, unknown>;
  /**
   * Who the operation is for: callers for whom it returns `true` see and may use it, for others it does not exist. So two
   * tenants may have operations with one name, as long as no caller is meant by both. Default: everybody.
   *
   * @example
   * for: (principal) => principal?.tenant === 'acme'
   */
  for?: Audience;
  /**
   * Gets the validated arguments. It returns what a decorated method would return, or the protocol's own
   * result. You can return the answer of another server unchanged.
   */
  handler(args: Record<string, unknown>, context: ToolContext): unknown;
  /**
   * The policies that decorators would set.
   *
   * @example
   * policies: [RateLimit.entry({ points: 10, per: '1m' })]
   */
  policies?: PolicyEntries;
}

export const handled = {
  handler: required(callback),
  for: callback,
  policies: policyEntries,
  _meta: jsonObject,
} satisfies OptionSchema<Handled>;

export const complete = recordOf('functions by name', callback);

/** A name that cannot be published is reported later, together with other problems of what is published. */
export const name = { ...anything, required: true } as const;

/** What the definitions of all kinds have. */
export interface OperationDefinition extends Handled {
  name: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  meta?: Record<string, unknown>;
}

/** The fields that the drafts of all kinds have. */
export function definitionBase(definition: OperationDefinition) {
  const { name, title, description, icons, meta = definition._meta, policies = [] } = definition;
  // A definition that is changed is made of a draft, where the audience has its other name.
  const { for: audience = (definition as { audience?: Audience }).audience } = definition;
  return {
    name,
    ...(audience && { audience }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icons && { icons }),
    ...(meta && { meta }),
    policies: addPolicies(new Map(), policies),
    target: {
      method: definition.handler,
      instance: () => definition,
    } satisfies Target,
  };
}

/** The options that all operation decorators share. */
interface CommonOptions {
  name?: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  meta?: Record<string, unknown>;
}

/**
 * The fields that all kinds of drafts share. Explicit options win over what the compiler read. Every field is
 * present, and a missing one is `undefined`: leaving fields out with conditional spreads costs more than
 * everything else here, once for each of a thousand tools.
 */
export function draftBase<Options extends CommonOptions>(
  source: BoundMethod,
  record: DecoratorRecord<Options>,
) {
  const { options, site } = record;
  const { entry } = source;
  return {
    name: options.name ?? entry.name ?? defaultName(source, record),
    title: options.title ?? entry.title,
    description: describe(options, entry),
    icons: options.icons,
    meta: options.meta,
    policies: policiesOf(source, record.kind as DecoratedKind),
    entry,
    questions: source.bound.questions,
    site,
    target: targetOf(source, record.kind),
  };
}

function defaultName({ bound, entry, method }: BoundMethod, { place }: DecoratorRecord): string {
  if (place.on !== 'class') return method.method;
  return classOperationName(bound.match.definition.name) || entry.method;
}

/** A model reads descriptions before anything else, so the examples of the doc comment are added there. */
export function describe(
  { description }: Pick<CommonOptions, 'description'>,
  entry: Pick<ManifestEntry, 'description' | 'examples'>,
): string | undefined {
  if (description !== undefined || !entry.examples?.length) return description ?? entry.description;
  const examples = entry.examples.map((example) => `- ${example}`).join('\n');
  return [entry.description, `Examples:\n${examples}`].filter(Boolean).join('\n\n');
}

/** A policy of the class applies only to the kinds of operations that it is made for. */
function policiesOf({ bound, method }: BoundMethod, decorated: DecoratedKind): PolicyMap {
  const policies = mergePolicies(bound.service.records.records, method.records);
  if (policies.size === 0) return policies;
  const kind = kindOf(decorated);
  const suits = ({ options }: PolicyEntry) => !isPolicyValue(options) || options.appliesTo(kind);
  return new Map([...policies].filter(([, entry]) => suits(entry)));
}

/**
 * The options of policies are parsed when they are first read. They are read here, so that their problems are
 * reported with their place.
 */
export function findPolicyProblems({ bound, method }: BoundMethod): readonly ConfigurationProblem[] {
  const ofClass = bound.service.records.records;
  if (!hasPolicies(ofClass, method.records)) return NONE;
  const problems: ConfigurationProblem[] = [];
  for (const { kind, name, options, site } of ofClass.concat(method.records)) {
    if (kind !== 'policy' || !isPolicyValue(options)) continue;
    const problem = readPolicy(name, options, `${bound.service.name}.${method.method}`);
    if (problem) problems.push(...problemsAt(problem, site.location));
  }
  return problems;
}

const NONE: readonly ConfigurationProblem[] = [];

function targetOf(
  { bound, method, entry, source, standard }: BoundMethod,
  kind: DecoratorRecord['kind'],
): Target {
  const { target } = bound.service;
  const holder = (method.static ? target : target.prototype) as Record<string, Target['method']>;
  return {
    method: bound.calls.count(holder[method.method]!),
    instance: source.instance,
    openScope: source.openScope,
    injected: source.injected,
    around: source.around,
    parameters: entry.parameters,
    standard,
    revive: entry.revive,
    protocolResult: entry.protocolResult,
    // A kind that publishes schemas has it in the draft.
    resultSchema:
      (isOperationKind(kind) && operationKinds[kind].publishesSchemas) || entry.output === null
        ? undefined
        : bound.match.manifest.schema(entry.output),
    stream: entry.stream,
    types: bound.types,
  };
}

/** Takes a problem of one operation. */
export type Report = (code: ConfigurationProblem['code'], message: string, fix: string) => void;

export function checkReferences(name: string, schema: JsonSchema, report: Report): void {
  for (const { what, fix } of findSchemaProblems(schema))
    report('TW_SCHEMA_INVALID', `A schema of "${name}": ${what}.`, fix);
}

/** Patterns of results count, too, because a method may repeat what a caller wrote. */
export function checkPatterns(
  { what, draft: { kind, name } }: { what: 'arguments' | 'result'; draft: AnyDraft },
  schema: JsonSchema,
  report: Report,
): void {
  for (const problem of findPatternProblems(schema))
    report('TW_PATTERN_UNSAFE', `In the ${what} of the ${kind} "${name}", ${problem}.`, PATTERN_FIX);
}
