import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { decoratorName } from '@toolwright/ground/base/metadata/class-records';
import { factsOf } from '@toolwright/ground/base/operation-kinds';
import {
  type AnyOptionSchema,
  allOptional,
  findOptionProblems,
  optionProblem,
} from '@toolwright/ground/base/options/option-schema';
import type { AnyDraft } from '@toolwright/ground/call/operation/draft';
import { operationKey } from '@toolwright/ground/call/operation/keys';
import { type JsonSchema, schemaOf } from '@toolwright/json';
import type { Manifest, ManifestEntry } from '@toolwright/manifest';
import { mcpAppOptions } from '../decorators/mcp-resource.js';
import { type PolicyValue, readPolicy } from '../policies/define-policy.js';
import { builtInPolicies } from '../policies/guards.js';
import { duplicateOf } from './checks/compare-operations.js';
import type { DecoratedKind } from './classes/service.js';
import { describe } from './kinds/kind-record.js';
import { checkOperation, kindRecordOf } from './registry/kinds.js';
import { settingsOf } from './kinds/resource.js';
import { isObjectSchema } from './kinds/tool.js';

function optionsOf(kind: DecoratedKind): AnyOptionSchema {
  return kind === 'app' ? mcpAppOptions : kindRecordOf(kind).options;
}

/** A required option may be computed at run time. */
function findDeclaredOptionProblems({ kind, options }: DeclaredOperation): ConfigurationProblem[] {
  const problems = findOptionProblems(allOptional(optionsOf(kind)), options, { owner: decoratorName(kind) });
  return problems.map(optionProblem);
}

/** An operation that the source declares, and its entry in the manifest. */
export interface DeclaredEntry {
  readonly operation: DeclaredOperation;
  readonly entry: ManifestEntry;
  readonly manifest: Manifest;
}

/** An operation after the checks. Without a draft, it cannot be compared with others. */
export interface CheckedOperation {
  readonly problems: readonly ConfigurationProblem[];
  readonly draft?: AnyDraft;
}

/**
 * Finds what would keep a server from serving an operation, before anything runs and whatever others there are. It uses
 * the checks of a starting server, on everything that the source says. Values that are only known at run time are assumed
 * to be right.
 */
export function checkDeclared({ operation, entry, manifest }: DeclaredEntry): CheckedOperation {
  const ofOptions = [...findDeclaredOptionProblems(operation), ...findDeclaredPolicyProblems(operation)];
  if (ofOptions.length > 0) return { problems: ofOptions };
  const drafted = draftDeclared(operation, entry, manifest);
  // A resource is identified by its URI. Without a URI there is no draft.
  if (!drafted) return { problems: [] };
  const { file, line, column } = entry.location;
  const draft: AnyDraft = { ...drafted, location: `${file}:${line}:${column}` };
  const problems = checkOperation(draft, withoutServices(schemaOf(manifest, entry.input)!));
  if (isNamed(operation, draft)) return { problems, draft };
  return { problems: problems.filter(({ code }) => code !== 'TW_NAME_INVALID') };
}

const isNamed = ({ name }: DeclaredOperation, draft: AnyDraft) =>
  name !== undefined || factsOf(draft).address !== 'name';

/**
 * Two classes with the same name may belong to two servers. One class is always served as a whole.
 *
 * @param taken the operations of the manifest that were compared before
 */
export function findRepeatedName(
  { draft }: CheckedOperation,
  entry: ManifestEntry,
  taken: Map<string, AnyDraft>,
): ConfigurationProblem[] {
  if (!draft) return [];
  const address = `${entry.class} ${operationKey(draft)}`;
  const first = taken.get(address);
  if (!first) taken.set(address, draft);
  return first ? [duplicateOf(draft, first)] : [];
}

/**
 * An object may turn out to be a service that the container passes. Such a parameter is not a variable of the
 * template.
 */
function withoutServices(input: JsonSchema): JsonSchema {
  const { properties = {}, required = [], $defs = {} } = input;
  const isData = (name: string) => !isObjectSchema({ $defs, ...properties[name] });
  return { ...input, required: required.filter(isData) };
}

/** Finds wrong options of built-in policies, as far as the source contains the options. */
function findDeclaredPolicyProblems({
  key,
  policies: declared = [],
}: DeclaredOperation): ConfigurationProblem[] {
  // In `src/note-tools.ts#NoteTools.find`, the class and the method.
  const where = key.slice(key.indexOf('#') + 1);
  return declared.flatMap(({ decorator, arguments: args }) => {
    const policy = builtInPolicies.get(decorator);
    if (!policy) return [];
    const [name, { options }] = policy.entry(...(args as never[]));
    return readPolicy(name, options as PolicyValue, where)?.problems ?? [];
  });
}

/** What the source says about an operation, without running it. */
export interface DeclaredOperation {
  /** The `ManifestEntry.key` of its method. */
  readonly key: string;
  readonly kind: DecoratedKind;
  /** The published name. Left out when it is only known at run time. */
  readonly name?: string;
  /** The constant options of the decorator. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The names of the options that are not constant; `any` when not even the names are known. */
  readonly computed: readonly string[] | 'any';
  /** The other decorators of core with constant arguments, by the names under which core exports them. */
  readonly policies?: readonly { readonly decorator: string; readonly arguments: readonly unknown[] }[];
}

/**
 * Makes a draft of an operation from what its source says.
 *
 * @param declared the operation; its options must have the right types
 * @returns undefined for a resource whose URI is only known at run time
 */
function draftDeclared(
  declared: DeclaredOperation,
  entry: ManifestEntry,
  manifest: Manifest,
): AnyDraft | undefined {
  const { kind, options, computed } = declared;
  const description = describe(options, entry);
  const common = {
    ...options,
    name: declared.name ?? entry.method,
    ...(description !== undefined && { description }),
    ...(kind === 'app' && { ui: settingsOf(options) }),
    handler: () => undefined,
  };
  const draft = kindRecordOf(kind === 'app' ? 'resource' : kind).declare(common, {
    input: schemaOf(manifest, entry.input)!,
    output: schemaOf(manifest, entry.output ?? ''),
    isComputed: (option) => computed === 'any' || computed.includes(option),
  });
  return draft as AnyDraft | undefined;
}
