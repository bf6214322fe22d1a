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
  if (!known) found.set(records, (known = problemsIn(records)));
  return known;
}

/** The container asks for the records of a service, too. */
const found = new WeakMap<ClassRecords, readonly ConfigurationProblem[]>();

function problemsIn({ records, methods, constructorParameters }: ClassRecords): ConfigurationProblem[] {
  const problems: ConfigurationProblem[] = [];
  const look = (all: readonly DecoratorRecord[]) => all.forEach((record) => addProblems(record, problems));
  look(records);
  constructorParameters.forEach(look);
  for (const method of methods) {
    look(method.records);
    method.parameters.forEach(look);
  }
  return problems;
}

function addProblems(
  { kind, schema, options, site }: DecoratorRecord,
  problems: ConfigurationProblem[],
): void {
  if (!schema) return;
  for (const fault of findOptionFaults(schema, options, { owner: decoratorName(kind) }))
    problems.push({ ...optionProblem(fault), ...(site.location && { location: site.location }) });
}
