/* eslint-disable @typescript-eslint/no-require-imports -- the tables are changed before other modules read them */
import type { Principal } from '@toolwright/ground/base/request-context';
import type { BuiltInGuard } from '../src/policies/guard.js';

/**
 * A policy that the framework does not have: `@Tenant('acme')` with the server option `tenantOf`. Operations of another
 * tenant are hidden, from lists and from calls. It is added here as its files would add it.
 */
const changed = new Set<string>([
  'core/src/policies/tenant.ts', // the decorator, its options and the guard; in this test, they are below
  'core/src/index.ts', // exports the decorator
  'docs/architecture.md', // the row of the guard
]);

/** A module in which the policy needs a line. */
function change<Module>(file: string): Module {
  changed.add(file);
  return require(`../../${file.replace('.ts', '.js')}`) as Module;
}

const { pipelineOptions } = change<{ pipelineOptions: Record<string, unknown> }>(
  'ground/src/call/call-options.ts',
);
const { guards } = change<{ guards: BuiltInGuard[] }>('core/src/policies/guards.ts');

const { callback } =
  require('@toolwright/ground/base/options/rules') as typeof import('@toolwright/ground/base/options/rules');
const { definePolicy } =
  require('../src/policies/define-policy.js') as typeof import('../src/policies/define-policy.js');

type TenantOf = (principal: Principal | undefined) => string | undefined;

const Tenant = definePolicy('tenant', { parse: (tenant: string) => tenant });
const tenantGuard: BuiltInGuard = {
  name: 'tenant',
  position: 65,
  summary: 'Hides operations of other tenants.',
  decorators: { Tenant },
  visible(operation, principal, { options }) {
    const { tenantOf } = options as { tenantOf?: TenantOf };
    const tenant = Tenant.of(operation)?.options;
    return tenant === undefined || tenantOf?.(principal) === tenant;
  },
};
pipelineOptions['tenantOf'] = callback;
guards.push(tenantGuard);
guards.sort((one, other) => one.position - other.position);

// These read the tables when they are loaded.
const { createMcpServer, RequireScopes } = require('../src/index.js') as typeof import('../src/index.js');
const { StatelessWire } = require('./wire/stateless-wire.js') as typeof import('./wire/stateless-wire.js');
const { RecordingSink } =
  require('./support/recording-sink.js') as typeof import('./support/recording-sink.js');

const add = { name: 'invoices', description: 'Lists invoices.', handler: () => 'none' };

async function start(options: object = {}) {
  const audit = new RecordingSink();
  const tenantOf: TenantOf = (principal) => principal?.subject.split('@')[1];
  const server = await createMcpServer({
    name: 'books',
    version: '1.0.0',
    audit,
    ...({ tenantOf } as object),
    ...options,
  });
  server.tools.add({ ...add, policies: [Tenant.entry('acme'), RequireScopes.entry('read')] });
  server.tools.add({ ...add, name: 'open' });
  return { server, audit };
}

const ann: Principal = { subject: 'ann@acme', scopes: [] };
const bob: Principal = { subject: 'bob@other', scopes: ['read'] };
const eve: Principal = { subject: 'eve@acme', scopes: ['read'] };

const wireOf = (server: object, principal: Principal) =>
  new StatelessWire(server as never, { principal, ip: undefined, transport: 'memory' });

test('a guard that no server has hides an operation from lists and from calls', async () => {
  const { server, audit } = await start();
  const names = async (principal: Principal) =>
    (await wireOf(server, principal).request('tools/list')).result.tools.map(({ name }: any) => name);
  expect(await names(eve)).toEqual(['invoices', 'open']);
  expect(await names(bob)).toEqual(['open']);

  const call = (principal: Principal, name: string) =>
    wireOf(server, principal).request('tools/call', { name, arguments: {} });
  expect((await call(eve, 'invoices')).result.content).toEqual([{ type: 'text', text: 'none' }]);
  const hidden = await call(bob, 'invoices');
  const unknown = await call(bob, 'invoice5');
  expect(hidden.error!.code).toBe(-32602);
  expect(hidden.error!.message.replace('invoices', 'invoice5')).toBe(unknown.error!.message);
  expect(audit.records.map(({ event }) => [event.principal?.subject, event.reason])).toContainEqual([
    'bob@other',
    'TW_HIDDEN',
  ]);
});

test('what another guard says to a caller does not show a hidden operation', async () => {
  const { server } = await start();
  const outsider = await wireOf(server, { ...bob, scopes: [] }).request('tools/call', { name: 'invoices' });
  expect(outsider.error!.code).toBe(-32602);
  const insider = await wireOf(server, ann).request('tools/call', { name: 'invoices' });
  const [challenge] = insider.result!._meta['mcp/www_authenticate'];
  expect(challenge).toContain('scope="read"');
});

test('lists with such an operation are private, and explain shows the guard', async () => {
  const { server } = await start();
  const { result } = await wireOf(server, eve).request('tools/list');
  expect(result.cacheScope).toBe('private');
  const steps = server.explain('invoices')!.steps.map(({ name }) => name);
  expect(steps.slice(0, 4)).toEqual(['audit', 'errors', 'tenant', 'scopes']);
});

test('the policy takes five files', () => {
  expect(changed.size).toBeLessThanOrEqual(5);
});
