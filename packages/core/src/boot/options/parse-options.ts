import { provider } from '../../container/provider-rule.js';
import type { ConfigurationProblem } from '../../base/errors/configuration-error.js';
import { icons } from '../../base/options/content-options.js';
import { findOptionFaults } from '../../base/options/find-option-faults.js';
import type { OptionRule, OptionSchema } from '../../base/options/option-schema.js';
import { optionProblem } from '../../base/options/parse-options.js';
import {
  anyObject,
  callback,
  either,
  filledText,
  listOf,
  named,
  no,
  objectWith,
  required,
  text,
} from '../../base/options/rules.js';
import { pipelineOptions } from '../../call/call-options.js';
import { protocolOptions } from '../../protocol/protocol-options.js';
import type { ServerInfo } from '../../protocol/protocol-host.js';
import { formerOptions } from './former-options.js';
import { findStoreProblems } from './shared-stores.js';
import { securityRule } from './security-options.js';
import type { KernelOptions, ServerOptions } from './server-options.js';

const infoOptions = {
  name: required(filledText),
  version: required(filledText),
  title: text,
  description: text,
  icons,
  websiteUrl: text,
} satisfies OptionSchema<ServerInfo>;

const manifest = either(text, anyObject, callback);

const manifestChecksum: OptionRule = {
  expected: 'a checksum',
  accepts: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
};

const kernelOptions = {
  instructions: text,
  services: listOf('a list of classes', callback),
  discover: named('a directory, or a list of them', either(text, listOf('directories', text))),
  providers: listOf(
    'a list of classes and of { provide } with one of useClass, useFactory, useValue, useExisting',
    provider,
  ),
  manifest: named(
    'a path, a manifest, a function that gives one, or a list of these',
    either(manifest, listOf('manifests', manifest)),
  ),
  manifestHash: named(
    'a checksum of 64 hexadecimal digits, or a list of them',
    either(manifestChecksum, listOf('checksums', manifestChecksum)),
  ),
  resolver: objectWith('an object with a resolve method', 'resolve'),
  logger: objectWith('a logger with debug, info, warn and error', 'debug', 'info', 'warn', 'error'),
  instanceId: filledText,
  clock: objectWith('a clock with now and after', 'now', 'after'),
  ids: objectWith('an id source with uuid and reference', 'uuid', 'reference'),
  bus: objectWith('an event bus with publish and subscribe', 'publish', 'subscribe'),
  stores: named('stores, such as redisStores makes', either(anyObject, listOf('stores', anyObject))),
} satisfies OptionSchema<KernelOptions>;

/** `@toolwright/audit` checks the rest, because that package knows the options of its log. */
const auditFile = {
  expected: '{ file }',
  accepts: (value: unknown) => anyObject.accepts(value) && 'file' in (value as object),
};

/** Every option of a server, at every depth. */
const serverOptions = {
  ...infoOptions,
  ...kernelOptions,
  ...pipelineOptions,
  audit: either(auditFile, objectWith('an audit sink', 'write', 'flush', 'close'), no),
  security: securityRule,
  ...protocolOptions,
} satisfies OptionSchema<ServerOptions>;

/** Problems of a server's options: missing, misspelt, or of a wrong type. */
export function findOptionProblems(options: ServerOptions): ConfigurationProblem[] {
  const problems = findOptionFaults(serverOptions, options, {
    owner: 'createMcpServer',
    former: formerOptions,
  }).map(optionProblem);
  return problems.length > 0 ? problems : findStoreProblems(options);
}
