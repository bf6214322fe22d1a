import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createMcpServer, type McpServer, type Principal } from '@toolwright/core';
import { subjectSource as sessions } from '@toolwright/core/operate';
import {
  type DataOwner,
  type ServerStores,
  silentLogger,
  type SubjectPlace,
  systemClock,
} from '@toolwright/core/ports';
import { mcpFetch } from '@toolwright/http';
import { apiKeys } from '@toolwright/identity';
import { subjectSource as identity } from '@toolwright/identity/commands';
import { ProjectFolder } from '../../../cli/test/support/project-folder.js';
import { ApprovalRecords } from '../../../identity/src/approval/approval-records.js';
import { Delegations } from '../../../identity/src/approval/delegations.js';
import { GrantRecords, type GrantRecord } from '../../../identity/src/grants/grant-records.js';
import { ProviderRecords } from '../../../identity/src/proxy/provider-records.js';
import { SubjectData } from '../../src/subject/subject-data.js';
import { writeExport } from '../../src/subject/write-export.js';

export const secrets = ['a-secret-of-the-server-that-is-long-enough'];
export const ISSUER = 'https://login.example.com';
export const PROXY = 'https://mcp.example.com';
export const packages = join(__dirname, '../../..');
export const bin = join(packages, 'operate/bin/toolwright-operate.js');

/** What a server has kept about ann, about others, and about those who only look like her. */
export async function keep(stores: ServerStores): Promise<void> {
  const records = stores.records!;
  const keys = apiKeys({ records, secrets });
  const key = await keys.create({ subject: 'ann', issuer: ISSUER, name: 'laptop', scopes: ['read'] });
  await keys.authenticate(new Request(PROXY, { headers: { 'x-api-key': key.key } }));
  await keys.create({ subject: 'ann', name: 'of no issuer' });
  await keys.create({ subject: 'ann', issuer: 'https://other.example.com' });
  await keys.create({ subject: 'bob', issuer: ISSUER, tenant: 'acme' });
  const approvals = new ApprovalRecords(records, systemClock, secrets);
  const question = (caller: object) =>
    approvals.open({
      binding: 'b',
      operation: { kind: 'tool', name: 'refund' },
      message: 'Refund?',
      shown: { order: 'o-1' },
      caller: caller as { subject: string },
      rule: {},
      opened: Date.now(),
      expires: Date.now() + 600_000,
      approvals: [],
    });
  await question({ issuer: ISSUER, subject: 'ann' });
  const byAnn = await question({ issuer: ISSUER, subject: 'bob' });
  await approvals.change(byAnn, 'open', {
    status: 'approved',
    approvals: [{ by: { issuer: ISSUER, subject: 'ann' } }],
  });
  await question({ issuer: ISSUER, subject: 'bob', tenant: 'acme' });
  const delegations = new Delegations(records, systemClock, secrets);
  const bob = { issuer: ISSUER, subject: 'bob' };
  const days = { since: Date.now(), until: Date.now() + 600_000 };
  await delegations.name({ from: bob, name: 'Bob', to: ann, scopes: ['approve'], ...days });
  const grants = new GrantRecords(records, { clock: systemClock, secrets, keepMs: 600_000 });
  await grants.write('1', grantOf('ann'), undefined);
  await grants.write('2', grantOf('bob'), undefined);
  const provider = new ProviderRecords({
    records,
    secrets,
    clock: systemClock,
    alreadyUsed: () => new Error('used'),
  });
  await provider.set('Account', 'ann', { user: { subject: 'ann', name: 'Ann' }, scopes: ['read'] }, 600);
  const token = { accountId: 'ann', clientId: 'c', scope: 'read', grantId: 'g', jti: 'secret-token' };
  await provider.adapterOf('RefreshToken').upsert('secret-token', token as never, 600);
}

function grantOf(subject: string): GrantRecord {
  return {
    status: 'active',
    holder: { issuer: ISSUER, subject },
    resource: 'https://files.example.com',
    client: { issuer: PROXY, clientId: 'c', clientAuth: 'basic' },
    scopes: ['files:read'],
    refreshToken: 'secret-token',
    tokens: {},
    created: 1,
    renewed: 1,
  };
}

export const ann: Principal = { issuer: ISSUER, subject: 'ann', scopes: [] };

/** Opens a session of a caller that subscribes to something. @returns asks another process in this session */
export async function subscribe(first: McpServer, principal: Principal) {
  let handle = mcpFetch(first, { principal: () => principal });
  let session: string | undefined;
  const send = async (method: string, params: object, id?: number) => {
    const response = await handle(
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session !== undefined && { 'mcp-session-id': session }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) }),
      }),
    );
    session ??= response.headers.get('mcp-session-id') ?? undefined;
    await response.text();
    return response.status;
  };
  const handshake = { protocolVersion: '2025-11-25', capabilities: {} };
  await send('initialize', { ...handshake, clientInfo: { name: 'test', version: '1' } }, 1);
  await send('notifications/initialized', {});
  expect(await send('resources/subscribe', { uri: `notes://of/${principal.subject}` }, 2)).toBe(200);
  return (server: McpServer) => {
    handle = mcpFetch(server, { principal: () => principal });
    return send('tools/list', {}, 3);
  };
}

const place = (stores: ServerStores): SubjectPlace => ({
  stores: [stores],
  secrets,
  database: undefined,
  taskSchema: undefined,
  server: undefined,
  proxy: PROXY,
});

export async function dataIn(stores: ServerStores): Promise<SubjectData> {
  const opened = [await sessions.open(place(stores)), await identity.open(place(stores))];
  return new SubjectData(
    opened.flatMap(({ records }) => records),
    { notes: [], unopened: [], beside: opened.flatMap(({ unsearched = [] }) => unsearched) },
    opened,
  );
}

/** The export of an owner, as a program reads it. */
export async function exportOf(data: SubjectData, owner: DataOwner) {
  const pieces: string[] = [];
  await writeExport(data, { owner, now: new Date() }, (text) => void pieces.push(text));
  return JSON.parse(pieces.join('')) as {
    records: Record<string, object[]>;
    unreadable: Record<string, number>;
    notLookedAt: string[];
  };
}

/** A folder of an app with these packages. */
export class App extends ProjectFolder {
  constructor(...names: string[]) {
    super();
    this.write('package.json', '{ "name": "app", "private": true }');
    for (const name of names) this.link(`node_modules/@toolwright/${name}`, `packages/${name}`);
  }

  async run(words: readonly string[], env: Record<string, string>) {
    const child = spawn(process.execPath, [bin, 'subject', ...words], {
      cwd: this.folder,
      env: { PATH: process.env['PATH'], SECRETS: secrets[0], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (text) => (said.stdout += text));
    child.stderr.on('data', (text) => (said.stderr += text));
    const [status] = (await once(child, 'close')) as [number];
    return { status, ...said };
  }
}

export const start = (stores: ServerStores) =>
  createMcpServer({ name: 'notes', version: '1.0.0', services: [], logger: silentLogger, stores, secrets });
