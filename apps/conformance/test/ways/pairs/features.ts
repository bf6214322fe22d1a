import * as core from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import { MemoryResultCache } from '@toolwright/core/ports';
import { measureTenants } from '@toolwright/identity';
import { externalDecision } from '@toolwright/identity/decisions';
import { optionalPackages } from '../../../../../packages/core/src/boot/extensions/load-packages.js';
import { serverOptions } from '../../../../../packages/core/src/boot/options/find-option-problems.js';
import { mcpToolOptions } from '../../../../../packages/core/src/decorators/mcp-tool.js';
import { exchange } from '../judges/context.js';
import { judges } from '../judges/index.js';
import type { Judge, Preparation, World } from '../world.js';

/** Something that an author or an operator switches on. */
export interface Feature {
  /** The decorator, the option, or what a package calls it. */
  readonly name: string;
  /** It is on, and hinders nobody. */
  on(world: World): Preparation;
  /** The judge that sees whether it holds; without one, it must only not hinder others. */
  readonly judge?: Judge;
}

const SECRETS = ['s'.repeat(40)];

function judged(name: string, prepare?: Judge['prepare']): Judge {
  const judge = judges.find((each) => each.name === name);
  if (!judge) throw new TypeError(`There is no judge "${name}".`);
  return prepare ? { ...judge, prepare } : judge;
}

const { Audit, Cache, Concurrency, Confirm, HiddenText, MaxOutput, RateLimit, RequireScopes } = core;
const { Timeout, UndeclaredOutput, UseMiddleware } = core;

const uses = (...list: NonNullable<Preparation['uses']>) => ({ uses: list });
const pass: core.Middleware = (_call, next) => next();

/** The decorators of core that are policies. */
const decorators: Readonly<Record<string, Omit<Feature, 'name'>>> = {
  Audit: {
    on: () => uses([Audit, { mode: 'strict', include: ['of'] }]),
    judge: judged('names in the audit log'),
  },
  Cache: { on: () => uses([Cache, { ttl: '1h' }]), judge: judged('the cache') },
  Concurrency: { on: () => uses([Concurrency, { max: 9 }]), judge: judged('slots of the tool') },
  Confirm: { on: () => uses([Confirm, 'Sure?']), judge: judged('confirm') },
  HiddenText: { on: () => uses([HiddenText, 'drop']), judge: judged('hidden characters') },
  MaxOutput: {
    on: () => uses([MaxOutput, { bytes: 1_000_000, link: true }]),
    judge: judged('the budget of results'),
  },
  RateLimit: { on: () => uses([RateLimit, { points: 99, per: '1h' }]), judge: judged('points of the tool') },
  RequireScopes: { on: () => uses([RequireScopes, 'use']), judge: judged('scopes') },
  Timeout: { on: () => uses([Timeout, '9h']), judge: judged('the deadline') },
  UndeclaredOutput: { on: () => uses([UndeclaredOutput, 'drop']), judge: judged('the schema of results') },
  UseMiddleware: { on: () => uses([UseMiddleware as never, pass]), judge: judged('middleware of the tool') },
};

/** The same decorators with other options. */
const variants: Readonly<Record<string, Omit<Feature, 'name'>>> = {
  'Audit(false)': { on: () => uses([Audit, false]) },
  'Concurrency of a group': { on: () => uses([Concurrency, { max: 9, per: 'tenant', group: 'all' }]) },
  'Confirm on a page': {
    on: (world) => judged('approval on a page').prepare(world),
    judge: judged('approval on a page'),
  },
  'Confirm of some calls': { on: () => uses([Confirm, 'Sure?', { when: () => false }]) },
  'Confirm by an argument': { on: () => uses([Confirm, 'Sure?', { fallback: 'argument' }]) },
  'HiddenText that keeps': { on: () => uses([HiddenText, 'keep']) },
  'RateLimit with a key': { on: () => uses([RateLimit, { points: 99, per: '1h', key: () => 'all' }]) },
  'RequireScopes that are listed': { on: () => uses([RequireScopes, 'use', { whenMissing: 'list' }]) },
  'UndeclaredOutput that refuses': { on: () => uses([UndeclaredOutput, 'refuse']) },
};

const defined = (definition: object) => ({ on: () => ({ definition: { ...definition } }) });

/** The options of a tool. */
const toolOptions: Readonly<Record<string, Omit<Feature, 'name'>>> = {
  version: defined({ version: '1' }),
  deprecated: defined({ deprecated: 'use another one' }),
  replacedBy: defined({ replacedBy: 'another' }),
  since: defined({ since: '1.0' }),
  title: defined({ title: 'Subject' }),
  description: defined({ description: 'Does what its author says.' }),
  annotations: defined({ annotations: { readOnlyHint: true, idempotentHint: true } }),
  icons: defined({ icons: [{ src: 'https://example.com/a.png' }] }),
  meta: defined({ meta: { 'example.com/kind': 'x' } }),
  maxSchemaBytes: defined({ maxSchemaBytes: 100_000 }),
  task: defined({ task: 'optional' }),
  'task that is required': defined({ task: 'required' }),
  'annotations that destroy': defined({ annotations: { destructiveHint: true } }),
  ui: defined({ ui: { visibility: ['model', 'app'] } }),
};

const option = (options: Partial<core.ServerOptions>, judge?: Judge): Omit<Feature, 'name'> => ({
  on: () => ({ options }),
  ...(judge && { judge }),
});

class OwnError extends Error {}

/** The options of a server. */
const options: Readonly<Record<string, Omit<Feature, 'name'>>> = {
  about: option({ about: { title: 'Ways' } }),
  instructions: option({ instructions: 'Call it.' }),
  secrets: option({ secrets: SECRETS }),
  stores: {
    on: ({ clock }) => ({ options: { secrets: SECRETS, stores: { cache: new MemoryResultCache(clock) } } }),
  },
  middleware: option({ middleware: [pass] }, judged('middleware of the server')),
  rateLimit: option({ rateLimit: { points: 99 } }, judged('points of the server')),
  concurrency: option({ concurrency: { perPrincipal: 9 } }, judged('slots of the server')),
  timeout: option(
    { timeout: '9h' },
    judged('the deadline', (world) => ({
      ...judged('slots of the tool').prepare(world),
      uses: [],
      options: { timeout: '1m' },
    })),
  ),
  around: option({ around: (_principal, run) => run() }, judged('around')),
  authorize: option({ authorize: () => true }, judged('authorize')),
  mayRead: option({ mayRead: () => true }, judged('mayRead')),
  confirmDestructive: option({ confirmDestructive: true }),
  lockedTools: option({ lockedTools: 'listed' }, judged('locked tools')),
  input: option({ input: { validation: 'always', coerce: true } }, judged('validation')),
  output: option({ output: { hidden: 'drop', maxBytes: 1_000_000 } }, judged('the schema of results')),
  security: option({ security: { mode: 'strict', relax: ['scopes', 'annotations', 'output'] } }),
  stateful: option({ stateful: true }),
  sessions: option({ sessions: { max: 9 } }),
  lists: option({ lists: { pageSize: 9, clientSafe: false } }),
  requestState: option({ requestState: { lifetime: '1m' } }),
  subscriptions: option({ subscriptions: { max: 9 } }),
  tasks: option({ tasks: { ttl: '1h' } }),
  toolSearch: option({ toolSearch: true }),
  codeMode: option({ codeMode: true }),
  errors: option({ errors: [[OwnError, 'show']] }),
};

const added = (start: (world: World) => unknown, judge?: Judge): Omit<Feature, 'name'> => ({
  on: () => ({ started: start }),
  ...(judge && { judge }),
});

/** What packages add to a server that is there. */
const ofPackages: Readonly<Record<string, Omit<Feature, 'name'>>> = {
  externalDecision: added(
    ({ server }) => extend(server, externalDecision({ decide: () => ({ allow: true }) })),
    judged('a policy engine'),
  ),
  'externalDecision that hides': added(
    ({ server }) => extend(server, externalDecision({ hide: true, decide: () => ({ allow: true }) })),
    judged('a policy engine that hides'),
  ),
  measureTenants: added(({ server }) => measureTenants(server)),
  openTokenExchange: added(
    ({ server }) => extend(server, exchange().extension),
    judged('tokens for what lies behind'),
  ),
};

/** What is on in every server of the pairs, or says nothing about calls, with the reason. */
export const apart: Readonly<Record<string, string>> = {
  name: 'Every server and every tool has one.',
  version: 'Every server has one.',
  services: 'Every server of the pairs has one.',
  instances: 'They are services that the application has built.',
  discover: 'It says where services are.',
  providers: 'They say what services are built with.',
  manifest: 'Every server of the pairs has one.',
  resolver: 'It says what services are built with.',
  logger: 'Every server of the pairs has one.',
  ports: 'Every server of the pairs has some.',
  audit: 'Every server of the pairs has a log.',
  inputSchema: 'The table has it, as schemas of libraries.',
  outputSchema: 'The table has it, as the schema of results.',
  skills: 'They are resources, which the table reads.',
  approvals: 'The table has it, as an approval on a page.',
};

const named = (
  features: Readonly<Record<string, Omit<Feature, 'name'>>>,
  form: (name: string) => string,
): Feature[] => Object.entries(features).map(([name, feature]) => ({ name: form(name), ...feature }));

export const features: readonly Feature[] = [
  ...named(decorators, (name) => `@${name}`),
  ...named(variants, (name) => `@${name}`),
  ...named(toolOptions, (name) => `@McpTool({ ${name} })`),
  ...named(options, (name) => name),
  ...named(ofPackages, (name) => `${name}()`),
];

const isPolicy = (value: unknown) => typeof value === 'function' && 'policyName' in value;

/** What the code offers, found in its exports and in the schemas of its options. */
export const featuresOfCode = {
  decorators: Object.entries(core).flatMap(([name, value]) => (isPolicy(value) ? [name] : [])),
  toolOptions: Object.keys(mcpToolOptions),
  options: [...Object.keys(serverOptions), ...optionalPackages.map(({ option: name }) => name)],
};

/** What the pairs have of it. */
export const featuresOfPairs = {
  decorators: Object.keys(decorators),
  toolOptions: Object.keys(toolOptions),
  options: Object.keys(options),
};
