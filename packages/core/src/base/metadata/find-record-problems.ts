import { isOperationKind, operationKinds } from '../operation-kinds.js';
import type { ConfigurationProblem } from '../errors/configuration-error.js';
import { findOptionFaults } from '../options/find-option-faults.js';
import { optionProblem } from '../options/parse-options.js';
import type { ClassRecords } from './class-records.js';
import type { DecoratorRecord, RecordKind } from './store.js';

/** The names of the decorators with options that make no operations, for messages. */
const otherNames = {
  service: '@McpService',
  injectable: '@Injectable',
  app: '@McpApp',
  schema: '@Schema',
  inject: '@Inject',
  injections: '@Inject',
  completion: '@CompletionProvider',
  schedule: '@Scheduled',
} as const satisfies Partial<Record<RecordKind, string>>;

/** The name of a decorator, for messages. */
export function decoratorName(kind: RecordKind): string {
  const names: Partial<Record<RecordKind, string>> = otherNames;
  return isOperationKind(kind) ? operationKinds[kind].decorator : (names[kind] ?? kind);
}

/** The problems in the options of a class's decorators, each with its place. */
export function findRecordProblems(records: ClassRecords): readonly ConfigurationProblem[] {
  let known = found.get(records);
  if (!known) found.set(records, (known = [...allRecords(records)].flatMap(problemsOf)));
  return known;
}

/** The container asks for the records of a service, too. */
const found = new WeakMap<ClassRecords, readonly ConfigurationProblem[]>();

function problemsOf({ kind, schema, options, site }: DecoratorRecord): ConfigurationProblem[] {
  if (!schema) return NONE;
  const faults = findOptionFaults(schema, options, {
    owner: decoratorName(kind),
  });
  return faults.map((fault) => ({
    ...optionProblem(fault),
    ...(site.location && { location: site.location }),
  }));
}

const NONE: ConfigurationProblem[] = [];

function* allRecords({ records, methods, constructorParameters }: ClassRecords): Generator<DecoratorRecord> {
  yield* records;
  for (const parameter of constructorParameters.values()) yield* parameter;
  for (const method of methods) {
    yield* method.records;
    for (const parameter of method.parameters.values()) yield* parameter;
  }
}
