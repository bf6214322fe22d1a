import { nearestNames } from '@toolwright/json';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { type ClassRecords, decoratorName } from '../../base/metadata/class-records.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import {
  type AnyOptionSchema,
  findOptionProblems,
  optionProblem,
  allOptional,
} from '../../base/options/option-schema.js';
import { anything } from '../../base/options/rules.js';
import { optionalPackages } from './load-packages.js';

/** The rules of the options that packages have added to decorators, in one server. */
export interface AddedRules {
  readonly toolRules: AnyOptionSchema;
  readonly serviceRules: AnyOptionSchema;
}

type Extra = Readonly<Record<string, unknown>>;

/** Options of packages that core would load. A server without the package ignores them. */
const ignored = (names: readonly string[]): AnyOptionSchema =>
  Object.fromEntries(names.map((name) => [name, anything]));
const ignoredOfTools = ignored(optionalPackages.flatMap(({ toolOptions = [] }) => toolOptions));
const ignoredOfServices = ignored(optionalPackages.flatMap(({ serviceOptions = [] }) => serviceOptions));

/** The rules of the options of `server.tools.add` and its siblings, with the options that packages have added. */
export function withAddedRules(schema: AnyOptionSchema, { toolRules }: AddedRules): AnyOptionSchema {
  return { ...ignoredOfTools, ...toolRules, ...schema };
}

/** Checks the options of `@McpTool` and `@McpService` that core does not know itself. */
export function findAddedProblems(
  { records, methods }: ClassRecords,
  { toolRules, serviceRules }: AddedRules,
): ConfigurationProblem[] {
  const all = [...records, ...methods.flatMap((method) => method.records)];
  return all.flatMap((record) => {
    const { kind, schema, options, site } = record;
    if (!schema || (kind !== 'tool' && kind !== 'service')) return [];
    // A text has members, too: each of its characters.
    if (typeof options !== 'object') return [];
    const extra = Object.entries(options as object).filter(([name]) => !Object.hasOwn(schema, name));
    if (extra.length === 0) return [];
    const rules =
      kind === 'tool' ? { ...ignoredOfTools, ...toolRules } : { ...ignoredOfServices, ...serviceRules };
    const owner = decoratorName(kind);
    // A message about an unknown option names all existing options.
    const known = { ...allOptional(schema), ...rules };
    return extra.flatMap(([name, value]) =>
      findOptionProblems(known, { [name]: value }, { owner }).map((problem) => ({
        ...optionProblem(problem),
        ...(site.location && { location: site.location }),
        ...(isForeign(name, known) && { lacks: `a package that adds the option "${name}" to ${owner}` }),
      })),
    );
  });
}

/** Whether an option may be one that an application gets from a package. It is not one of the known options, misspelt. */
function isForeign(name: string, known: AnyOptionSchema): boolean {
  return !Object.hasOwn(known, name) && nearestNames(name, Object.keys(known)).length === 0;
}

/** The values of added options. They replace the values of the class. */
export function extraOf(options: object, rules: AnyOptionSchema, outer?: Extra): Extra | undefined {
  const own = Object.keys(rules).flatMap((name) =>
    Object.hasOwn(options, name) ? [[name, (options as Extra)[name]] as const] : [],
  );
  if (own.length === 0) return outer;
  return { ...outer, ...Object.fromEntries(own) };
}

/** What a service and one of its decorators say in added options. */
export function extraOfMethod(
  { records }: ClassRecords,
  record: DecoratorRecord,
  { toolRules, serviceRules }: AddedRules,
): Extra | undefined {
  const service = records.find(({ kind }) => kind === 'service');
  const outer = service && extraOf(service.options as object, serviceRules);
  return record.kind === 'tool' ? extraOf(record.options as object, toolRules, outer) : outer;
}
