import { icons } from '@toolwright/ground/base/content';
import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import type { ExtraServerOptions } from '@toolwright/ground/base/extended';
import { collectRecords, findRecord } from '@toolwright/ground/base/metadata/class-records';
import type { AnyClass } from '@toolwright/ground/base/metadata/store';
import {
  type AnyOptionSchema,
  type OptionRule,
  type OptionSchema,
  findOptionProblems,
  optionProblem,
} from '@toolwright/ground/base/options/option-schema';
import {
  anyObject,
  brand,
  clock,
  callback,
  either,
  filledText,
  group,
  listOf,
  named,
  no,
  objectWith,
  required,
  secrets,
  text,
} from '@toolwright/ground/base/options/rules';
import { pipelineOptions } from '@toolwright/ground/call/call-options';
import { findErrorRuleProblems } from '@toolwright/ground/call/own-errors';
import { loggerRule } from '@toolwright/ground/ports/logger';
import { findHiddenText, isObject } from '@toolwright/json';
import { provider } from '../../container/provider.js';
import type { McpServiceOptions } from '../../decorators/mcp-service.js';
import { protocolOptions } from '../../protocol/protocol-options.js';
import { offersOperations } from '../classes/service.js';
import type { PackageOptions } from '../extensions/load-packages.js';
import { isPinned, manifestSources } from '../manifest/load-manifests.js';
import {
  type AboutOptions,
  type KernelOptions,
  type PortOptions,
  type ServerOptions,
  securityRule,
} from './server-options.js';
import { findStoreProblems, stores } from './shared-stores.js';

const aboutOptions = {
  title: text,
  description: text,
  icons,
  websiteUrl: text,
  brand,
} satisfies OptionSchema<AboutOptions>;

const portOptions = {
  clock,
  ids: objectWith('an id source with uuid and reference', 'uuid', 'reference'),
  instanceId: filledText,
} satisfies OptionSchema<PortOptions>;

const manifest = either(text, anyObject, callback);

const manifestChecksum: OptionRule = {
  expected: 'a checksum',
  accepts: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
};

const manifests = either(manifest, listOf('manifests', manifest));

const pinnedOptions = {
  file: named('a path, a manifest, a function that gives one, or a list of these', manifests),
  hash: named(
    'a checksum of 64 hexadecimal digits, or a list of them',
    either(manifestChecksum, listOf('checksums', manifestChecksum)),
  ),
};

const pinned = group(pinnedOptions);

/** What to write in place of something that is not a class, in the cases that newcomers meet. */
function classRemedy(value: unknown): string | undefined {
  if (value === undefined)
    return 'An import is undefined when its name is misspelt, or when modules import each other in a circle: then move what both need into a third module.';
  if (typeof value === 'string')
    return 'Import the class and list it, or name the folder of the classes in the option "discover".';
  if (typeof value === 'function') return `Write a list: services: [${value.name}].`;
  if (!isObject(value)) return undefined;
  if (value instanceof Promise) return 'Await it: services: [(await import("./page-tools.js")).PageTools].';
  return Object.prototype.toString.call(value) === '[object Module]'
    ? 'Write the classes of the module: services: [module.PageTools].'
    : 'Write the class, and the server builds it with what `providers` gives; or pass the object in `instances`.';
}

function instanceRemedy(value: unknown): string | undefined {
  return typeof value === 'function'
    ? 'Write an object of the class, or the class in `services`.'
    : undefined;
}

const kernelOptions = {
  about: group(aboutOptions),
  instructions: text,
  services: { ...listOf('a list of classes', callback), remedy: classRemedy },
  instances: { ...listOf('a list of objects', anyObject), remedy: instanceRemedy },
  discover: named('a directory, or a list of them', either(text, listOf('directories', text))),
  providers: listOf(
    'a list of classes and of { provide } with one of useClass, useFactory, useValue, useExisting',
    provider,
  ),
  manifest: named(
    'a path, a manifest, a function that gives one, a list of these, or { file, hash }',
    either({ ...pinned, accepts: (value) => pinned.accepts(value) && isPinned(value as object) }, manifests),
  ),
  resolver: objectWith('an object with a resolve method', 'resolve'),
  logger: loggerRule,
  ports: group(portOptions),
  stores: named('stores, such as redisStores makes', either(stores, listOf('stores', stores))),
  secrets,
} satisfies OptionSchema<KernelOptions>;

/** `@toolwright/audit` checks the rest, because that package knows the options of its log. */
const auditFile = {
  expected: '{ file }',
  accepts: (value: unknown) => anyObject.accepts(value) && 'file' in (value as object),
};

/** Every option of a server, at every depth. */
export const serverOptions = {
  name: required(filledText),
  version: required(filledText),
  ...kernelOptions,
  ...pipelineOptions,
  audit: either(auditFile, objectWith('an audit sink', 'write', 'flush', 'close'), no),
  security: securityRule,
  ...protocolOptions,
} satisfies OptionSchema<Omit<ServerOptions, keyof PackageOptions | keyof ExtraServerOptions>>;

/**
 * Problems of a server's options: missing, misspelt, or of a wrong type.
 *
 * @param added the rules of options that packages add
 */
export function findServerOptionProblems(
  options: ServerOptions,
  added: AnyOptionSchema,
): ConfigurationProblem[] {
  const problems = findOptionProblems({ ...added, ...serverOptions }, options, {
    owner: 'createMcpServer',
  }).map(optionProblem);
  if (problems.length > 0) return problems;
  const { name, version, about, instructions, instances, services, providers, errors } = options;
  return [
    ...findStoreProblems(options),
    ...(instances ? findInstanceProblems(instances, services, providers) : []),
    ...(errors ? findErrorRuleProblems(errors) : []),
    // Models also read the description of the server itself.
    ...findHiddenText({ name, version, about, instructions }).map(({ place, character }) => ({
      code: 'TW_TEXT_HIDDEN' as const,
      message: `The option "${place}" of the server has the hidden character ${character}.`,
      fix: 'Remove it, because models read it and reviewers cannot see it.',
    })),
  ];
}

/** The names that platforms without files give themselves in `navigator.userAgent`. */
const WITHOUT_FILES: Readonly<Record<string, string>> = { 'Cloudflare-Workers': 'workerd' };

/** The platform that this program runs on, if it has no files that last. */
function platformWithoutFiles(): string | undefined {
  const { navigator } = globalThis as { navigator?: { userAgent?: unknown } };
  return WITHOUT_FILES[String(navigator?.userAgent)];
}

/**
 * Finds options that need files, on a platform that has none. Each problem names what to write instead.
 * Otherwise such a server would fail later, or seem to write a log that nobody can read.
 */
export function findFileOptions(
  options: ServerOptions,
  platform = platformWithoutFiles(),
): ConfigurationProblem[] {
  if (platform === undefined) return [];
  const { audit, discover, services, instances, codeMode } = options;
  const named = manifestSources(options.manifest);
  const problem = (option: string, fix: string): ConfigurationProblem => ({
    code: 'TW_FILES_NEEDED',
    message: `The option ${option} needs files, and ${platform} has none.`,
    fix,
  });
  const problems: ConfigurationProblem[] = [];
  if (typeof audit === 'object' && audit !== null && !('write' in audit))
    problems.push(problem('audit: { file }', 'Pass an AuditSink that sends its records elsewhere.'));
  if (codeMode !== undefined)
    problems.push(
      problem('codeMode', 'Serve it with Node.js: programs run in threads, each of a file of its own.'),
    );
  if (discover !== undefined)
    problems.push(problem('discover', 'List the classes in the option "services".'));
  if (named.some((manifest) => typeof manifest === 'string'))
    problems.push(problem('manifest, as a path,', IMPORT));
  if ((services?.length || instances?.length) && named.length === 0)
    problems.push(problem('services without a manifest', IMPORT));
  return problems;
}

const IMPORT =
  'Make the manifest a part of the program: `import manifest from \'./mcp.manifest.json\'`, and pass it as the option "manifest".';

/** The class of an object that the application has made. */
export function classOf(instance: object): AnyClass {
  const prototype = Object.getPrototypeOf(instance) as { constructor?: unknown } | null;
  return (typeof prototype?.constructor === 'function' ? prototype.constructor : Object) as AnyClass;
}

/** What keeps a server from calling the objects that it was given. */
function findInstanceProblems(
  instances: readonly object[],
  services: KernelOptions['services'] = [],
  providers: KernelOptions['providers'] = [],
): ConfigurationProblem[] {
  const seen = new Set<AnyClass>();
  const provided = new Set(providers.map((each) => (typeof each === 'function' ? each : each.provide)));
  return instances.flatMap((instance, index) => {
    const target = classOf(instance);
    const name = target.name || 'an anonymous class';
    const problem = (message: string, fix: string): ConfigurationProblem[] => [
      { code: 'TW_OPTION_INVALID', message: `instances[${index}] ${message}`, fix },
    ];
    if (!offersOperations(target))
      return problem(
        `is of ${name}, which has no decorated method.`,
        'Decorate a method of its class with @McpTool or its like, or pass the object in `providers`.',
      );
    const { scope = 'singleton' } =
      findRecord<McpServiceOptions>(collectRecords(target).records, 'service')?.options ?? {};
    if (scope !== 'singleton')
      return problem(
        `is of ${name}, which has the scope "${scope}": all callers would share this one object.`,
        `Take the scope out of @McpService, or name ${name} in services, and the server builds one for each ${scope}.`,
      );
    if (seen.has(target))
      return problem(
        `is the second instance of ${name}: both have the same tools.`,
        'Pass one of them. For one set of tools for each, write a class for each.',
      );
    seen.add(target);
    if (services.includes(target))
      return problem(
        `is of ${name}, which the option services names, too: the server would build another one.`,
        `Take ${name} out of services.`,
      );
    return provided.has(target)
      ? problem(`is of ${name}, which the option providers provides, too.`, `Take ${name} out of providers.`)
      : [];
  });
}
