import { type JsonSchema, PATTERN_FIX, findPatternProblems, findSchemaProblems } from '@toolwright/json';
import { isOperationKind, operationKinds } from '../../base/operation-kinds.js';
import { classOperationName, type ManifestEntry } from '@toolwright/manifest';
import { problemsAt, type ConfigurationProblem } from '../../base/errors/configuration-error.js';
import {
  type DecoratorRecord,
  type PolicyEntry,
  type PolicyMap,
  hasPolicies,
  mergePolicies,
} from '../../base/metadata/store.js';
import { isPolicyValue, readPolicy } from '../../policies/define-policy.js';
import type { Icon } from '../../base/content.js';
import type { AnyDraft, Target } from '../../call/operation/draft.js';
import type { BoundMethod } from '../services/bound-service.js';
import { kindOf } from '../checks/check-service.js';
import type { DecoratedKind } from '../classes/service.js';

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
