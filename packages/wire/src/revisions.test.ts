import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bootServer } from '../../core/src/boot/boot-server.js';
import { createProtocol } from '../../core/src/protocol/create-protocol.js';
import { Cancellation } from './response-channel.js';
import type { ClassifiedBody } from '../../core/src/requests/read.js';
import { revision20260728 } from './revisions/2026-07-28.js';
import type { RevisionRecord } from './revision-record.js';
import { Revisions, servedRevisions } from './revisions.js';

/** What a new revision takes: a record like this, and its line in the table. */
const madeUp: RevisionRecord = {
  ...revision20260728,
  version: '2027-02-03',
  features: { ...revision20260728.features, titles: false },
  methods: ['server/discover', 'tools/call', 'tools/list'],
};

const peer = { principal: undefined, ip: undefined, transport: 'memory' } as const;

async function serve(records: readonly RevisionRecord[]) {
  const options = { name: 'pages', about: { title: 'Pages' }, version: '1.0.0', audit: false } as const;
  const protocol = createProtocol(await bootServer(options, undefined), records);
  const read = (version: string, method = 'server/discover'): ClassifiedBody => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = new Map([
      ['mcp-protocol-version', version],
      ['mcp-method', method],
    ]);
    const body = { jsonrpc: '2.0', id: 1, method, params: { _meta: meta } };
    return protocol.read(body, { peer, header: (name) => headers.get(name) });
  };
  const ask = async (version: string, method?: string) => {
    const reading = read(version, method);
    if (reading.kind !== 'stateless') throw new Error(`read as ${reading.kind}`);
    const channel = { peer, cancellation: new Cancellation(), send: () => undefined };
    const reply = await protocol.serveStateless(reading.message, channel);
    return JSON.parse(reply!.text);
  };
  const discover = async (version: string) => (await ask(version)).result;
  return { protocol, read, ask, discover };
}

describe.each([
  ['last', [...servedRevisions, madeUp]],
  ['first', [madeUp, ...servedRevisions]],
])('a later stateless revision, listed %s', (_, records) => {
  test('is served with its own shapes, and the earlier one with its own', async () => {
    const { discover } = await serve(records);
    const serverInfo = 'io.modelcontextprotocol/serverInfo';
    const later = await discover('2027-02-03');
    expect(later.supportedVersions).toEqual(['2027-02-03', '2026-07-28']);
    expect(later._meta[serverInfo]).toEqual({ name: 'pages', version: '1.0.0' });
    expect((await discover('2026-07-28'))._meta[serverInfo]).toMatchObject({ title: 'Pages' });
  });

  test('answers only the methods that its record names', async () => {
    const { ask } = await serve(records);
    expect((await ask('2027-02-03', 'tools/list')).result).toMatchObject({ tools: [] });
    expect((await ask('2027-02-03', 'resources/list')).error.code).toBe(-32601);
    expect((await ask('2026-07-28', 'completion/complete')).error).toBeDefined();
    expect((await ask('2027-02-03', 'tasks/get')).error.message).toBe('Method not found: tasks/get');
  });

  test('changes nothing for the stateful revisions', async () => {
    const { protocol } = await serve(records);
    const params = {
      protocolVersion: '2027-02-03',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const { reply } = protocol.openSession({ kind: 'request', id: 1, method: 'initialize', params }, peer);
    expect(JSON.parse(reply.text).result.protocolVersion).toBe('2025-11-25');
    expect(protocol.eraOf('2025-06-18')).toBe('stateful');
  });
});

test('a stateless revision that is not served is refused with the list of served ones', async () => {
  const { read } = await serve(servedRevisions);
  const reading = read('2027-02-03');
  expect(reading).toMatchObject({ kind: 'refused', reply: { status: 400 } });
  const { reply } = reading as Extract<ClassifiedBody, { kind: 'refused' }>;
  expect(JSON.parse(reply.text).error.data.supported).toEqual(['2026-07-28']);
});

test('a server of stateful revisions accepts no version for a stateless one', () => {
  const revisions = new Revisions(servedRevisions.filter(({ era }) => era === 'stateful'));
  expect(revisions.looksStateless('2026-07-28')).toBe(false);
});

test.each(servedRevisions.map(({ version }) => version))(
  'without its line in the table, the revision %s is unknown',
  async (version) => {
    const { protocol } = await serve(servedRevisions.filter((record) => record.version !== version));
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const { reply } = protocol.openSession({ kind: 'request', id: 1, method: 'initialize', params }, peer);
    expect(JSON.parse(reply.text).result.protocolVersion).not.toBe(version);
  },
);

test('a record that names a method that does not exist is a mistake', async () => {
  const wrong: RevisionRecord = { ...madeUp, methods: ['notifications/cancelled'] };
  await expect(serve([wrong])).rejects.toThrow('The revision 2027-02-03 names "notifications/cancelled"');
});

test('no file outside the folder of revisions imports a revision', () => {
  const packages = join(__dirname, '../..');
  const importers = ['core/src', 'wire/src'].flatMap((source) =>
    readdirSync(join(packages, source), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => readFileSync(join(packages, source, file), 'utf8').includes('/revisions/20')),
  );
  expect(importers).toEqual(['revisions.ts']);
});
