import { join } from 'node:path';
import { Cache, createMcpServer, type McpServer } from '@toolwright/core';
import type { AuditEvent } from '@toolwright/core/ports';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { Passwords, SensitiveTools } from '../fixtures/sensitive/src/sensitive-tools.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';
import { RecordedTelemetry } from '../support/recorded-telemetry.js';
import { asText } from '../support/as-text.js';

let manifest: Manifest;
let server: McpServer;
let wire: StatelessWire;
const logged: unknown[] = [];
let sink: RecordingSink;
const recorded = () => sink.records.map(({ event }) => event);

beforeAll(async () => {
  const project = join(__dirname, '../fixtures/sensitive/tsconfig.json');
  ({ manifest } = await buildManifest({ project, cache: false }));
});

beforeEach(async () => {
  logged.length = 0;
  sink = new RecordingSink();
  const log = (...entry: unknown[]) => void logged.push(entry);
  server = await createMcpServer({
    name: 'test',
    version: '1',
    services: [SensitiveTools],
    providers: [Passwords],
    manifest: () => manifest,
    logger: { debug: log, info: log, warn: log, error: log },
    audit: sink,
  });
  server.on('security', (event) => logged.push(event));
  wire = new StatelessWire(server);
});

afterEach(() => server.close(0));

const canary = 'canary-1234567';
const long = 'canary-'.repeat(10);

test.each([
  ['login', { user: 'ann', password: canary, colour: 'blue' }, 'password: expected'],
  ['login', { user: 'ann', password: long, colour: 'red' }, 'colour: not with [sensitive]'],
  ['login', { user: 'ann', password: long, colour: 'blue' }, 'password: expected another value'],
  ['login', { user: 'ann', password: { deep: canary }, colour: 'blue' }, 'password: expected a string'],
  ['session', { logins: [{ user: 'ann', password: canary, colour: 'blue' }] }, 'logins[0].password'],
  ['session', { logins: `[{"password":"${canary}"}]` }, 'logins: expected an array'],
  ['strict', { pin: canary }, 'pin: expected another value'],
  ['strict', {}, 'pin: required, but missing'],
  ['configure', { config: { host: 'h', key: canary } }, 'config.key: expected at least 99 characters'],
  ['configure', { config: { host: 'h', pass: [canary] } }, 'config.pass: expected a string'],
  ['configure', { config: `{"key":"${canary}"}` }, 'config: expected an object'],
  ['configure', { config: { host: 'h', more: { x: { value: [canary] } } } }, 'config.more.x.value'],
  ['configure', { config: { host: 'h', more: { x: canary } } }, 'config.more.x'],
  ['configure', { config: { host: 'h', either: { kind: 'a', one: [canary] } } }, 'config.either'],
  ['configure', { config: { host: 'h', list: [[canary]] } }, 'config.list[0]: expected a string'],
  ['configure', { config: { host: 'h' }, token: canary }, 'token: expected another value'],
])('%s does not repeat %j', async (name, args, heard) => {
  const { result } = await wire.call(name, args);
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain(heard);
  expect(recorded()).not.toHaveLength(0);
  for (const text of [asText(result), asText(logged), asText(recorded())])
    expect(text).not.toContain('canary');
});

test('nor does a call that succeeds, if an object around it is included in the audit log', async () => {
  const config = {
    host: 'h',
    pass: canary,
    key: 'canary-'.repeat(20),
    more: { x: { value: canary } },
    either: { kind: 'a', one: canary },
    list: [canary],
  };
  const { result } = await wire.call('configure', { config, token: 'canary-second' });
  expect(result.isError).toBeUndefined();
  const [{ loggable }] = recorded() as [AuditEvent];
  expect(loggable).toEqual({
    config: {
      host: 'h',
      pass: '[sensitive]',
      key: '[sensitive]',
      more: { x: { value: '[sensitive]' } },
      either: { kind: 'a', one: '[sensitive]' },
      list: ['[sensitive]'],
    },
    token: '[sensitive]',
  });
  for (const text of [asText(logged), asText(recorded())]) expect(text).not.toContain('canary');
});

test('an error of a method is logged without it', async () => {
  await wire.call('fail', { password: canary });
  expect(asText(logged)).toContain('cannot log in with [sensitive]');
  expect(asText(logged)).not.toContain('canary');
});

test('the log does not contain it if a thrown value is not an error', async () => {
  await wire.call('throwObject', { password: canary });
  expect(asText(logged)).toContain('cannot log in with [sensitive]');
  expect(asText(logged)).not.toContain('canary');
});

test('the log does not contain it if a completion fails', async () => {
  const ref = { type: 'ref/prompt', name: 'completed' };
  await wire.request('completion/complete', { ref, argument: { name: 'password', value: canary } });
  expect(asText(logged)).toContain('cannot complete [sensitive]');
  for (const text of [asText(logged), asText(recorded())]) expect(text).not.toContain('canary');
});

test('a URI with a sensitive variable is recorded as its template, even if it is refused', async () => {
  for (const uri of [`session://${canary}`, `admin://${canary}`])
    await wire.request('resources/read', { uri });
  await wire.request('resources/read', { uri: `session://${canary}`, requestState: 'forged' });
  expect(recorded()).toHaveLength(3);
  for (const text of [asText(logged), asText(recorded())]) expect(text).not.toContain('canary');
});

test('a URI that matches no template may have been meant for one with a sensitive variable', async () => {
  for (const uri of [`session://${canary}/x`, ` session://${canary}`, canary]) {
    await wire.request('resources/read', { uri });
    await wire.request('resources/read', { uri, requestState: 'forged' });
  }
  expect(recorded().map(({ name }) => name)).toContain('session:…');
  for (const text of [asText(logged), asText(recorded())]) expect(text).not.toContain('canary');
});

test('@Cache stores no arguments', async () => {
  server.tools.add({
    name: 'cached',
    annotations: { readOnlyHint: true },
    policies: [Cache.entry({ ttl: '1m' })],
    inputSchema: { type: 'object', properties: { key: { type: 'string' } } },
    handler: () => 'found',
  });
  const kept = jest.spyOn(Map.prototype, 'set');
  try {
    await wire.call('cached', { key: canary });
    const keys = kept.mock.calls.flatMap(([key]) => (typeof key === 'string' ? [key] : []));
    expect(keys.filter((key) => key.includes(' anonymous '))).toHaveLength(1);
    expect(keys.filter((key) => key.includes('canary'))).toEqual([]);
  } finally {
    kept.mockRestore();
  }
});

test('a trace also contains the template', async () => {
  const telemetry = new RecordedTelemetry();
  await wire.request('resources/read', { uri: `session://${canary}` });
  const heard = telemetry.finished().map(({ attributes, status }) => ({ attributes, status }));
  await telemetry.stop();
  expect(heard).toMatchObject([{ attributes: { 'mcp.resource.uri': 'session://{token}' } }]);
  expect(asText(heard)).not.toContain('canary');
});

test('results reach their caller, but neither the audit log nor the log', async () => {
  const { result } = await wire.call('give');
  expect(result.structuredContent).toEqual({ id: 1, secret: 'canary-result' });
  expect((await wire.call('giveWrong')).result.isError).toBe(true);
  for (const text of [asText(logged), asText(recorded())]) expect(text).not.toContain('canary');
});

test('a prompt does not repeat it either', async () => {
  const { error } = await wire.request('prompts/get', { name: 'ask', arguments: { password: canary } });
  expect(error!.message).toContain('password: expected at most 3 characters');
  for (const text of [asText(error), asText(logged), asText(recorded())])
    expect(text).not.toContain('canary');
});

test('clients learn which arguments are sensitive, and no default of them', async () => {
  const { result } = await wire.request('tools/list');
  const tool = (name: string) => result.tools.find((each: { name: string }) => each.name === name);
  expect(tool('login').inputSchema.properties.password).toMatchObject({ writeOnly: true });
  expect(tool('configure').inputSchema.properties.token).toMatchObject({ writeOnly: true });
  expect(tool('configure').inputSchema.properties.config.properties.list.items).toMatchObject({
    writeOnly: true,
  });
  expect(tool('give').outputSchema.properties.secret).toMatchObject({ 'x-sensitive': true });
  expect(asText(result)).not.toContain('canary-default');
  expect(asText(tool('configure').inputSchema.properties.token)).not.toContain('"default"');
});
