import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type McpClient } from '@toolwright/client';
import { type McpServer, type Principal, ToolError } from '@toolwright/core';
import { type MountOptions, mountServer } from '@toolwright/mount';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { createGateway, createUpstream, serveUpstream } from './support/tools.js';

const open = closedAfterEach();

/** A server of a person's desk: it keeps what it was told, and lists what its environment says. */
const source = `
const { ORG, PROJECTS = '' } = process.env;
const notes = [];
const schema = { type: 'object', properties: { text: { type: 'string' } } };
const tool = (name, description) => ({ name, description, inputSchema: schema });
const answers = {
  initialize: () => ({ protocolVersion: '2025-11-25', serverInfo: { name: 'desk', version: '1' }, capabilities: { tools: {} } }),
  'tools/list': () => ({ tools: [
    tool('note', 'Keeps a note.'), tool('notes', 'All notes of ' + ORG + '.'), tool('about', 'Its process.'),
    ...PROJECTS.split(',').filter(Boolean).map((name) => tool('open_' + name, 'Opens ' + name + '.')),
  ] }),
  'tools/call': ({ name, arguments: { text } }) => {
    if (name === 'note') notes.push(text);
    const about = { pid: process.pid, org: ORG, cwd: process.cwd(), args: process.argv.slice(2) };
    const said = name === 'notes' ? notes.join() : JSON.stringify(about);
    return { content: [{ type: 'text', text: said }] };
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  console.error('started with ' + ORG);
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
});
`;
const file = join(temporaryFolder(), 'desk.cjs');
writeFileSync(file, source);
const child = { command: process.execPath, args: [file] };

const person = (subject: string, tenant?: string): Principal => ({
  issuer: 'https://issuer.test',
  subject,
  scopes: [],
  ...(tenant !== undefined && { tenant }),
});
const ann = person('ann', 'red');
const ben = person('ben', 'red');
const cid = person('cid', 'blue');
const projects: Record<string, string> = { red: 'apollo', blue: 'gemini' };
const perTenant: Partial<MountOptions> = {
  env: (principal) => ({
    ORG: principal?.tenant ?? 'nobody',
    ...(principal?.tenant !== undefined && { PROJECTS: projects[principal.tenant]! }),
  }),
};

async function mounted(options: Partial<MountOptions>, more: object = {}) {
  const gateway = await createGateway(more);
  open.push(gateway);
  const mount = await mountServer(gateway, 'desk', { ...child, ...options } as MountOptions);
  return { gateway, mount };
}

async function clientOf(gateway: McpServer, principal?: Principal, revision = '2026-07-28') {
  const client: McpClient = await connect(gateway, { ...(principal && { principal }), revision } as never);
  open.push(client);
  return client;
}

async function listOf(client: McpClient): Promise<Record<string, string>> {
  const { tools } = (await client.request('tools/list', {})) as {
    tools: { name: string; description: string }[];
  };
  return Object.fromEntries(tools.map(({ name, description }) => [name, description]));
}

const aboutOf = async (client: McpClient) =>
  JSON.parse(await client.callText('about', {})) as { pid: number; org: string; cwd: string; args: string[] };

describe.each(['2026-07-28', '2025-11-25'])('for clients of %s', (revision) => {
  test('each caller has the list that the server behind gives for its values, and no other', async () => {
    const { gateway, mount } = await mounted(perTenant);
    const [red, blue, nobody] = await Promise.all([
      ...[ann, cid].map((each) => clientOf(gateway, each, revision)),
      clientOf(gateway, undefined, revision),
    ]);
    expect(await listOf(nobody!)).toMatchObject({ notes: 'All notes of nobody.' });
    expect(await listOf(red!)).toEqual({
      note: 'Keeps a note.',
      about: 'Its process.',
      notes: 'All notes of red.',
      open_apollo: 'Opens apollo.',
    });
    expect(await listOf(blue!)).toEqual({
      note: 'Keeps a note.',
      about: 'Its process.',
      notes: 'All notes of blue.',
      open_gemini: 'Opens gemini.',
    });
    await expect(red!.call('open_gemini', {})).rejects.toThrow(/open_gemini/);
    await expect(nobody!.call('open_gemini', {})).rejects.toThrow(/open_gemini/);
    expect(mount.status()).toMatchObject({ left: [], held: [] });
  });

  test('a caller may call before it has listed anything', async () => {
    const { gateway } = await mounted(perTenant);
    const blue = await clientOf(gateway, cid, revision);
    expect(await blue.callText('open_gemini', {})).toContain('"org":"blue"');
  });

  test('no caller reads what another one has kept, and each has its own process', async () => {
    const { gateway } = await mounted(perTenant);
    const clients = await Promise.all([ann, ben, cid].map((each) => clientOf(gateway, each, revision)));
    for (const [index, client] of clients.entries())
      await client.callText('note', { text: `secret ${index}` });
    expect(await Promise.all(clients.map((client) => client.callText('notes', {})))).toEqual([
      'secret 0',
      'secret 1',
      'secret 2',
    ]);
    const all = await Promise.all(clients.map(aboutOf));
    expect(all.map(({ org }) => org)).toEqual(['red', 'red', 'blue']);
    expect(new Set(all.map(({ pid }) => pid)).size).toBe(3);
  });
});

test('a server that keeps a file keeps one for each tenant, whose folder the mount gives it', async () => {
  const keeping = join(temporaryFolder(), 'keeping.cjs');
  writeFileSync(
    keeping,
    source
      .replace('const notes = [];', "const fs = require('node:fs');")
      .replace('notes.push(text)', "fs.appendFileSync('notes.txt', text + ';')")
      .replace('notes.join()', "(fs.existsSync('notes.txt') ? fs.readFileSync('notes.txt', 'utf8') : '')"),
  );
  const folders = new Map(['red', 'blue'].map((tenant) => [tenant, temporaryFolder()]));
  const cwd = (principal: Principal | undefined) => folders.get(principal?.tenant ?? '') ?? tmpdir();
  const { gateway } = await mounted({ args: [keeping], cwd });
  const noted = async (principal: Principal, text: string) => {
    const client = await clientOf(gateway, principal);
    await client.callText('note', { text });
    return client.callText('notes', {});
  };
  expect(await noted(ann, 'of ann')).toBe('of ann;');
  expect(await noted(cid, 'of cid')).toBe('of cid;');
  expect(await noted(ben, 'of ben')).toBe('of ann;of ben;');
  expect(await noted(cid, 'more')).toBe('of cid;more;');
});

test('a function that gives nothing is no value, and a variable that is undefined is not there', async () => {
  const { gateway, mount } = await mounted({
    cwd: () => undefined as never,
    args: [file],
    env: () => ({ ORG: 'us', PROJECTS: undefined as never }),
  });
  expect(mount.status()).toMatchObject({ state: 'up', operations: 3 });
  const client = await clientOf(gateway, ann);
  expect(JSON.parse(await client.callText('about', {}))).toMatchObject({ org: 'us', cwd: process.cwd() });
});

test('args and cwd may be functions, too', async () => {
  const { gateway } = await mounted({
    args: (principal) => [file, '--as', principal?.subject ?? 'nobody'],
    cwd: () => Promise.resolve(tmpdir()),
  });
  const about = await aboutOf(await clientOf(gateway, ann));
  expect(about.args).toEqual(['--as', 'ann']);
});

test('headers may be a function: a server without state is shared by callers with equal values and one tenant', async () => {
  const upstream = await createUpstream();
  const seen: unknown[] = [];
  const { url, served } = await serveUpstream(upstream);
  open.push(served as never, upstream);
  const spied: typeof fetch = (input, init) => {
    seen.push(new Headers(init?.headers).get('x-org'));
    return real(input, init);
  };
  const real = globalThis.fetch;
  globalThis.fetch = spied;
  open.push({ close: () => (globalThis.fetch = real) });
  const gateway = await createGateway();
  open.push(gateway);
  const mount = await mountServer(gateway, 'up', {
    url,
    headers: (principal) => ({ 'X-Org': principal?.tenant === undefined ? 'none' : 'known' }),
  });
  for (const each of [ann, ben, cid]) {
    const client = await clientOf(gateway, each);
    seen.length = 0;
    expect(await client.callText('echo', { text: 'hi' })).toBe('hi');
    expect(new Set(seen)).toEqual(new Set(['known']));
  }
  // One for lists, one for each tenant.
  expect(mount.status()).toMatchObject({ isShared: true, sessions: 3 });
});

test('roots may be a function', async () => {
  const upstream = await createGateway({ name: 'upstream', audit: false });
  upstream.tools.add({
    name: 'where',
    description: 'Asks for folders.',
    async handler(_args: unknown, ctx: { roots(key: string): Promise<readonly { uri: string }[]> }) {
      return (await ctx.roots('folders')).map(({ uri }) => uri).join(' ');
    },
  } as never);
  const { url, served } = await serveUpstream(upstream);
  const gateway = await createGateway();
  open.push(served as never, upstream, gateway);
  await mountServer(gateway, 'up', {
    url,
    roots: (principal) => [{ uri: `file:///srv/${principal?.subject ?? 'nobody'}` }],
  });
  expect(await (await clientOf(gateway, ann)).callText('where', {})).toBe('file:///srv/ann');
});

test('a function that throws fails the calls of that caller, and neither its lists nor the calls of others', async () => {
  const { gateway, mount } = await mounted({
    env: ({ subject } = person('nobody')) => {
      if (subject === 'ann') throw Object.assign(new Error('no such user: s3cret'), { code: 'ENOENT' });
      if (subject === 'ben') throw new ToolError('Connect your account first.');
      return { ORG: subject };
    },
  });
  const [first, second, third] = await Promise.all([ann, ben, cid].map((each) => clientOf(gateway, each)));
  expect(Object.keys(await listOf(first!))).toEqual(['note', 'notes', 'about']);
  const refused = await first!.call('about', {});
  expect(refused).toMatchObject({ isError: true });
  expect(JSON.stringify(refused)).not.toContain('s3cret');
  expect(await second!.call('about', {})).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Connect your account first.') }],
  });
  expect((await aboutOf(third!)).org).toBe('cid');
  expect(mount.status()).toMatchObject({ state: 'up' });
  expect(JSON.stringify(mount.status())).not.toContain('s3cret');
});

test('without values for nobody, the mount lists for its first caller, also where it is required', async () => {
  const { gateway, mount } = await mounted({
    required: true,
    env: (principal) => {
      if (!principal) throw new Error('Nobody has an account.');
      return { ORG: principal.subject };
    },
  });
  expect(mount.status()).toMatchObject({ state: 'up', operations: 0, processes: [] });
  expect(await listOf(await clientOf(gateway))).toEqual({});
  expect(await listOf(await clientOf(gateway, ann))).toMatchObject({ notes: 'All notes of ann.' });
  expect((await aboutOf(await clientOf(gateway, ben))).org).toBe('ben');
});

test('what a function gives must be what its option takes', async () => {
  const { gateway } = await mounted({ env: (() => ({ ORG: 7 })) as never });
  expect(await listOf(await clientOf(gateway, ann))).toEqual({});
});

test('values reach neither logs nor the audit log nor the status', async () => {
  const lines: unknown[] = [];
  const keep = (...all: unknown[]) =>
    void lines.push(all.map((each) => (each instanceof Error ? [each.message, each.stack] : each)));
  const records: unknown[] = [];
  const text = (value: unknown) =>
    JSON.stringify(value, (_key, each: unknown) =>
      each instanceof Error ? { ...each, message: each.message, stack: each.stack, cause: each.cause } : each,
    );
  const { gateway, mount } = await mounted(
    {
      env: (principal) => ({ ORG: `key-of-${principal?.subject ?? 'nobody'}` }),
      args: (principal) => [principal?.subject === 'ben' ? `/nowhere/of-ben.cjs` : file],
    },
    {
      logger: { debug: keep, info: keep, warn: keep, error: keep },
      audit: {
        write: (record: unknown) => void records.push(record),
        flush: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
    },
  );
  await (await clientOf(gateway, ann)).callText('notes', {});
  await (await clientOf(gateway, ben)).call('about', {}).catch(() => undefined);
  expect(text(lines)).toContain('started with …');
  for (const each of [lines, records, mount.status()]) {
    expect(text(each)).not.toContain('key-of-');
    expect(text(each)).not.toContain('of-ben.cjs');
  }
});

test('`for` says who sees the mount and may call it', async () => {
  const { gateway } = await mounted({ for: (principal) => principal?.tenant === 'red' });
  expect(Object.keys(await listOf(await clientOf(gateway, ann)))).toHaveLength(3);
  const blue = await clientOf(gateway, cid);
  expect(await listOf(blue)).toEqual({});
  await expect(blue.call('about', {})).rejects.toThrow(/about/);
});

test('`for` and functions count together', async () => {
  const { gateway } = await mounted({ ...perTenant, for: (principal) => principal?.subject !== 'ben' });
  expect(await listOf(await clientOf(gateway, ann))).toMatchObject({ open_apollo: 'Opens apollo.' });
  expect(await listOf(await clientOf(gateway, ben))).toEqual({});
});

test('a shared session beside a function is a problem of the boot', async () => {
  await expect(mounted({ ...perTenant, sessions: 'shared' })).rejects.toThrow(
    'callers for whom "env" may differ cannot share a session',
  );
});

test('tenants share no session of a server, also where callers share one', async () => {
  const { gateway, mount } = await mounted({ sessions: 'shared', env: { ORG: 'all' } });
  const [red, other, blue] = await Promise.all([ann, ben, cid].map((each) => clientOf(gateway, each)));
  await red!.callText('note', { text: 'of red' });
  expect(await other!.callText('notes', {})).toBe('of red');
  expect(await blue!.callText('notes', {})).toBe('');
  expect(mount.status().isShared).toBe(true);
});

test('over maxProcesses, the caller who asks is refused with a time, and no process of another one ends', async () => {
  const { gateway, mount } = await mounted({ env: { ORG: 'all' }, maxProcesses: 3 });
  const [first, second, third] = await Promise.all([ann, ben, cid].map((each) => clientOf(gateway, each)));
  await first!.callText('note', { text: 'kept' });
  await second!.callText('note', { text: 'kept, too' });
  const refused = await third!.call('about', {});
  expect(refused).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/as many callers as it can\. Try again in \d+ s\./) }],
    _meta: { retryAfterMs: expect.any(Number) },
  });
  expect(await first!.callText('notes', {})).toBe('kept');
  expect(await second!.callText('notes', {})).toBe('kept, too');
  expect(mount.status().processes).toHaveLength(3);
});
