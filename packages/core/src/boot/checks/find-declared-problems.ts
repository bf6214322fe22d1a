import { factsOf } from '../../base/operation-kinds.js';
import { schemaOf, type JsonSchema, type Manifest, type ManifestEntry } from '@toolwright/manifest';
import { mcpAppOptions } from '../../decorators/mcp-app.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { decoratorName } from '../../base/metadata/find-record-problems.js';
import { findOptionFaults } from '../../base/options/find-option-faults.js';
import { allOptional, type AnyOptionSchema } from '../../base/options/option-schema.js';
import { optionProblem } from '../../base/options/parse-options.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import { operationKey } from '../../call/operation/keys.js';
import { checkOperation } from './check-operation.js';
import { findDeclaredPolicyProblems } from './find-declared-policy-problems.js';
import { draftDeclared, type DeclaredOperation } from '../drafts/draft-declared.js';
import { isObjectSchema } from '../drafts/is-object-schema.js';
import { kindRecordOf } from '../kinds/kinds.js';
import { duplicateOf } from './find-duplicates.js';
import type { DecoratedKind } from '../services/service.js';

export interface DeclaredProblem extends Omit<ConfigurationProblem, 'location'> {
  /** `ManifestEntry.key` of the method. */
  readonly key: string;
}

function optionsOf(kind: DecoratedKind): AnyOptionSchema {
  return kind === 'app' ? mcpAppOptions : kindRecordOf(kind).options;
}

/**
 * Finds problems that would keep a server from serving a class, before anything runs. It uses the checks of a
 * starting server, on everything that the source says about the published operations. Values that are only
 * known at run time are assumed to be right.
 *
 * @param operations of methods in the manifest; others are left out
 */
export function findDeclaredProblems(
  manifest: Manifest,
  operations: readonly DeclaredOperation[],
): DeclaredProblem[] {
  const entries = new Map(manifest.entries.map((entry) => [entry.key, entry]));
  const taken = new Map<string, AnyDraft>();
  return operations.flatMap((operation) => {
    const entry = entries.get(operation.key);
    if (!entry) return [];
    const ofOptions = [...findOptionProblems(operation), ...findDeclaredPolicyProblems(operation)];
    const problems = ofOptions.length > 0 ? ofOptions : findProblems({ operation, entry, manifest }, taken);
    return problems.map(({ code, message, fix }) => ({ key: entry.key, code, message, fix }));
  });
}

/** A required option may be among those that are computed at run time. */
function findOptionProblems({ kind, options }: DeclaredOperation): ConfigurationProblem[] {
  const faults = findOptionFaults(allOptional(optionsOf(kind)), options, { owner: decoratorName(kind) });
  return faults.map(optionProblem);
}

interface Declared {
  readonly operation: DeclaredOperation;
  readonly entry: ManifestEntry;
  readonly manifest: Manifest;
}

function findProblems(
  { operation, entry, manifest }: Declared,
  taken: Map<string, AnyDraft>,
): ConfigurationProblem[] {
  const drafted = draftDeclared(operation, entry, manifest);
  if (!drafted) return [];
  const { file, line, column } = entry.location;
  const draft: AnyDraft = { ...drafted, location: `${file}:${line}:${column}` };
  const problems: ConfigurationProblem[] = [];
  checkOperation(draft, problems, withoutServices(schemaOf(manifest, entry.input)!));
  const isNamed = operation.name !== undefined;
  // A resource is identified by its URI. Without a URI there is no draft.
  if (!isNamed && factsOf(draft).address === 'name')
    return problems.filter(({ code }) => code !== 'TW_NAME_INVALID');
  // Two classes with the same name may belong to two servers. One class is always served as a whole.
  const address = `${entry.class} ${operationKey(draft)}`;
  const first = taken.get(address);
  if (!first) taken.set(address, draft);
  return first ? [...problems, duplicateOf(draft, first)] : problems;
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
