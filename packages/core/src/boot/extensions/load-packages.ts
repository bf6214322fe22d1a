import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { type ClassRecords, decoratorName } from '@toolwright/ground/base/metadata/class-records';
import type { DecoratorRecord } from '@toolwright/ground/base/metadata/store';
import {
  type AnyOptionSchema,
  findOptionProblems,
  optionProblem,
  allOptional,
} from '@toolwright/ground/base/options/option-schema';
import { anything } from '@toolwright/ground/base/options/rules';
import type { AuditFileOptions, AuditSink } from '@toolwright/ground/ports/audit-sink';
import type { Clock } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import { nearestNames } from '@toolwright/json';
import { importModule } from '../classes/import-module.js';
import type { Extension } from './extension.js';

/** A package that core loads when an option asks for it. Core does not depend on it. */
interface OptionalPackage {
  /** The option of `createMcpServer` that loads it. */
  readonly option: string;
  readonly package: string;
  /** What it adds to `@McpTool`. A server that does not load the package ignores these options. */
  readonly toolOptions?: readonly string[];
  /** The same for `@McpService`. */
  readonly serviceOptions?: readonly string[];
}

/** All that core knows of these packages. The rules of the options are in the packages. */
export const optionalPackages: readonly OptionalPackage[] = [
  {
    option: 'toolSearch',
    package: '@toolwright/search',
    toolOptions: ['searchTerms', 'category', 'origin', 'group'],
    serviceOptions: ['category', 'origin', 'group'],
  },
  { option: 'codeMode', package: '@toolwright/code' },
  { option: 'skills', package: '@toolwright/skills' },
  { option: 'approvals', package: '@toolwright/identity' },
];

/** The options of a server that load packages. The packages check them. */
export interface PackageOptions {
  /** Lets clients search among many tools. It needs the package `@toolwright/search`. */
  toolSearch?: true | object;
  /** Lets models write programs against the tools. It needs the package `@toolwright/code`. */
  codeMode?: true | object;
  /** Serves a folder of skills. It needs the package `@toolwright/skills`. */
  skills?: string | object;
}

/**
 * Loads the packages that the options of a server ask for. Each exports its extension as `extension`.
 *
 * @param application the file that created the server
 * @param present extensions that are there already
 */
export async function loadPackages(
  options: object,
  application: string | undefined,
  present: readonly Extension<never>[],
): Promise<{ extensions: Extension<never>[]; problems: ConfigurationProblem[] }> {
  const extensions: Extension<never>[] = [];
  const problems: ConfigurationProblem[] = [];
  for (const { option, package: name } of optionalPackages) {
    const value = (options as Record<string, unknown>)[option];
    if (value === undefined || value === false) continue;
    if (present.some((extension) => extension.name === name)) continue;
    const path = locatePackage(name, application);
    const loaded = path === undefined ? undefined : (await importModule(path))['extension'];
    if (loaded) extensions.push(loaded as Extension<never>);
    else problems.push(unusable(option, name, path !== undefined));
  }
  return { extensions, problems };
}

/** The rules of the options that extensions add. An option of a package that is not installed may have any value. */
export function packageRules(extensions: readonly Pick<Extension<never>, 'options'>[]): AnyOptionSchema {
  const unchecked = optionalPackages.map(({ option }) => [option, anything] as const);
  return Object.assign(Object.fromEntries(unchecked), ...extensions.map(({ options }) => options));
}

/**
 * With strict package folders, core does not see packages that only the application has installed. So the application's
 * folder is tried first.
 *
 * @returns the file of a package's main entry; `undefined` when the package is not installed
 */
function locatePackage(name: string, application: string | undefined): string | undefined {
  for (const from of [application, process.argv[1], join(process.cwd(), 'package.json'), __filename]) {
    try {
      if (from) return createRequire(from).resolve(name);
    } catch {
      // It is not visible from this folder. It may be from the next one.
    }
  }
  return undefined;
}

function unusable(option: string, name: string, isInstalled: boolean): ConfigurationProblem {
  const [needs, fix] = isInstalled
    ? [
        `another version of the package ${name}: the installed one exports no extension`,
        `Install the versions of ${name} and @toolwright/core that were released together.`,
      ]
    : [
        `the package ${name}, which is not installed`,
        `Run \`npm install ${name}\`, or leave out "${option}".`,
      ];
  return {
    code: 'TW_PACKAGE_MISSING',
    message: `The option "${option}" of createMcpServer needs ${needs}.`,
    fix,
  };
}

const PACKAGE = '@toolwright/audit';

/**
 * What core uses of the audit package. Core does not depend on it, and loads it only if the options name a
 * file.
 */
interface AuditPackage {
  auditSinkOptions: AnyOptionSchema;
  openAuditSink(options: AuditFileOptions & { logger: Logger; clock: Clock }): Promise<AuditSink>;
}

type AuditOption = AuditSink | AuditFileOptions | false | undefined;

/** A function that opens the sink for the option `audit`, or what is wrong with the option. */
export interface AuditOpening {
  readonly problems: readonly ConfigurationProblem[];
  open(ports: { logger: Logger; clock: Clock }): Promise<AuditSink | false>;
}

/** @param application the file that created the server */
export async function prepareAudit(
  option: AuditOption,
  application: string | undefined,
): Promise<AuditOpening> {
  if (!namesFile(option)) return { problems: [], open: async () => option || false };
  const path = locatePackage(PACKAGE, application);
  if (path === undefined) return { problems: [missingPackage], open: async () => false };
  const { auditSinkOptions, openAuditSink } = (await importModule(path)) as unknown as AuditPackage;
  const problems = findOptionProblems(auditSinkOptions, option, { owner: 'createMcpServer', path: 'audit' });
  return {
    problems: problems.map(optionProblem),
    open: ({ logger, clock }) => openAuditSink({ logger, clock, ...option }),
  };
}

function namesFile(option: AuditOption): option is AuditFileOptions {
  return typeof option === 'object' && option !== null && 'file' in option && !('write' in option);
}

const missingPackage: ConfigurationProblem = {
  code: 'TW_AUDIT_MISSING',
  message: `The option audit: { file } needs the package ${PACKAGE}, which is not installed.`,
  fix: `Run \`npm install ${PACKAGE}\`, or pass your own sink as audit.`,
};

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
