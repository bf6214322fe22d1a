import { writeFileSync } from 'node:fs';
import { readText } from '@toolwright/json';
import { join } from 'node:path';
import { silentLogger } from '@toolwright/core/ports';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { GatewayReader } from '../src/gateway/gateway-file.js';
import { GatewayFileError, readGateway } from '../src/gateway/open-gateway.js';
import { MountLock } from '../src/pins/mount-lock.js';
import { createUpstream, serveUpstream } from './support/tools.js';

const folder = temporaryFolder();
const url = 'https://crm.example/mcp';

function read(config: unknown, env: NodeJS.ProcessEnv = {}) {
  const text = typeof config === 'string' ? config : JSON.stringify(config, null, 2);
  writeFileSync(join(folder, 'mcp.json'), text);
  return readGateway('mcp.json', folder, env);
}

/** What is wrong with a file, without the places. */
function problemsOf(config: unknown, env?: NodeJS.ProcessEnv): string[] {
  try {
    read(config, env);
    return [];
  } catch (error) {
    if (!(error instanceof GatewayFileError)) throw error;
    return error.lines.map((line) => line.replace(/^mcp\.json:\d+:\d+: /, ''));
  }
}

const withServer = (server: object, gateway?: object) => ({
  mcpServers: { crm: { url, ...server } },
  ...(gateway && { gateway }),
});

test.each([
  ['a key in env', { url: undefined, command: process.execPath, env: { API_KEY: 'abc' } }],
  [
    'a token in arguments',
    { url: undefined, command: process.execPath, args: ['--token', 'ghp_abcdefghijklmnop'] },
  ],
  ['a header', { headers: { 'X-Api-Key': 'abc' } }],
  ['a password in a URL', { url: 'https://ann:hush@crm.example/mcp' }],
  ['a default of a variable', { headers: { Authorization: 'Bearer ${TOKEN:-sk-1234567890}' } }],
])('a secret in plain text is found: %s', (_where, server) => {
  expect(problemsOf(withServer(server), { TOKEN: 'x' })).toContainEqual(
    'This looks like a secret. Write ${NAME}, and set the variable NAME.',
  );
});

test('a secret of the sign-in is found, too; what is public there is none', () => {
  const exchange = (clientSecret: string) => ({
    'https://crm.example': {
      by: 'token-exchange',
      issuer: 'https://login.example',
      clientAuth: 'basic',
      clientId: '11111111-2222-3333-4444-55555555abcd',
      clientSecret,
    },
  });
  const signIn = (secret: string) => ({
    resource: 'https://gateway.example/mcp',
    issuers: ['https://login.example'],
    audience: '11111111-2222-3333-4444-55555555abcd',
    exchange: exchange(secret),
  });
  expect(problemsOf(withServer({}, { signIn: signIn('hush') }))).toEqual([
    'This looks like a secret. Write ${NAME}, and set the variable NAME.',
  ]);
  expect(problemsOf(withServer({}, { signIn: signIn('${SECRET}') }), { SECRET: 'hush' })).toEqual([]);
});

test('variables, paths and switches are not secrets', () => {
  const headers = { Authorization: 'Bearer ${TOKEN}', 'X-Team': 'sales' };
  const env = { KEY_FILE: '/run/secrets/key', AUTH_ENABLED: 'true', PORT: '${PORT:-80}' };
  const config = {
    mcpServers: { crm: { url, headers }, files: { command: process.execPath, env } },
  };
  expect(problemsOf(config, { TOKEN: 'sk-1234567890abcdef' })).toEqual([]);
});

test('comments and trailing commas are allowed, as hosts allow them', () => {
  expect(read(`{ "mcpServers": { /* ours */ "crm": { "url": "${url}", }, }, }`).options.name).toBe('gateway');
});

test.each([
  [{ auth: 'user' }, 'auth: "user" needs an app, which says how tokens are exchanged: see mountServer.'],
  [{ command: process.execPath }, 'mountServer("crm"): it has both a url and a command.'],
  [{ type: 'ws' }, '"type" must be stdio, http, streamable-http, sse.'],
  [{ idle: 'soon' }, expect.stringMatching(/^The option "idle" must be /)],
  [{ policies: { '*': { rateLimits: {} } } }, expect.stringMatching(/^There is no policy "rateLimits"/)],
  [{ policies: { '*': { rateLimit: { points: -1 } } } }, expect.stringMatching(/"points" must be/)],
  [{ policies: { '*': { annotations: true } } }, expect.stringMatching(/^"annotations" must be an object/)],
])('what a mount would refuse is a problem of the file: %j', (server, problem) => {
  expect(problemsOf(withServer(server))).toContainEqual(problem);
});

test.each([
  [{ nmae: 'x' }, expect.stringMatching(/^There is no option "nmae"\. Did you mean/)],
  [{ port: 'x' }, expect.stringMatching(/^The option "port" must be/)],
  [{ host: '0.0.0.0' }, '"host" lets others in, so the gateway needs "signIn": whose tokens it accepts.'],
])('the part of the gateway is checked, too: %j', (gateway, problem) => {
  expect(problemsOf(withServer({}, gateway))).toEqual([problem]);
});

test('problems name the line of the wrong member', () => {
  const lines = `{
  "mcpServers": {
    "crm": {
      "url": "${url}",
      "idle": "soon"
    }
  },
  "gateway": {
    "port": -1
  }
}`;
  expect(() => read(lines)).toThrow(
    /^mcp\.json:5:7: The option "idle"[^\n]*\nmcp\.json:9:5: The option "port"/,
  );
  expect(() => read('{ "mcpServers": ')).toThrow(/^mcp\.json:1:\d+: This is no JSON/m);
  expect(() => readGateway('none.json', folder)).toThrow('none.json is not there.');
});

test('a gateway mounts all servers of its file but the disabled ones, with their guards', async () => {
  const { url: upstream, served } = await serveUpstream(await createUpstream());
  const gateway = read(
    {
      mcpServers: {
        one: {
          url: '${UPSTREAM}',
          prefix: 'one_',
          select: ['echo'],
          policies: {
            echo: { requireScopes: ['read'], timeout: '5s', annotations: { destructiveHint: true } },
          },
        },
        two: { url, disabled: true },
      },
      gateway: { lock: false, audit: false },
    },
    { UPSTREAM: upstream },
  );
  const { server, mounts } = await gateway.open();
  expect(mounts.map(({ name }) => name)).toEqual(['one']);
  expect(server.tools.list()).toMatchObject([{ name: 'one_echo', annotations: { destructiveHint: true } }]);
  expect(server.explain('one_echo')!.steps).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'scopes', detail: 'read' }),
      expect.objectContaining({ name: 'deadline', detail: expect.stringContaining('5') as string }),
    ]),
  );
  await server.close(0);
  await served.close();
});

test('names that collide are problems of the file', async () => {
  const { url: upstream, served } = await serveUpstream(await createUpstream());
  const both = { mcpServers: { one: { url: upstream }, two: { url: upstream } }, gateway: { lock: false } };
  await expect(read(both).open({ audit: false, logger: silentLogger })).rejects.toThrow(
    /^mcp\.json:\d+:\d+: The tool "echo" of the mount "(?:one|two)" is there already/m,
  );
  await served.close();
});

test('numbers and truth values in env, args and headers are texts, with the digits that the file has', () => {
  const { mcpServers } = {
    mcpServers: `{
      "a": { "command": ${JSON.stringify(process.execPath)}, "args": ["--port", 3000, 1.10],
        "env": { "PORT": 8080, "0": 1e3, "ID": 1610521604143693812, "DEBUG": true, "NONE": null } },
      "b": { "url": "${url}", "headers": { "X-Api-Version": 2.0 }, "roots": null, "prefix": null }
    }`,
  };
  writeFileSync(join(folder, 'mcp.json'), `{ "mcpServers": ${mcpServers} }`);
  const reader = new GatewayReader(readText(join(folder, 'mcp.json')), {});
  expect(reader.read().mounts.map(({ options }) => options)).toEqual([
    {
      command: process.execPath,
      args: ['--port', '3000', '1.10'],
      env: { PORT: '8080', '0': '1e3', ID: '1610521604143693812', DEBUG: 'true' },
    },
    { url, headers: { 'X-Api-Version': '2.0' } },
  ]);
  expect(reader.findings).toEqual([]);
  expect(problemsOf(withServer({ headers: { a: { b: 1 } } }))).not.toEqual([]);
});

test.each([
  ['UTF-8', Buffer.from('\uFEFF{ "mcpServers": { "crm": { "url": "https://crm.example/mcp", "odd": 1 } } }')],
  [
    'UTF-16',
    Buffer.from(
      '\uFEFF{ "mcpServers": { "crm": { "url": "https://crm.example/mcp", "odd": 1 } } }',
      'utf16le',
    ),
  ],
])('a file may begin with a byte order mark: %s', (_name, bytes) => {
  writeFileSync(join(folder, 'mcp.json'), bytes);
  expect(() => readGateway('mcp.json', folder, {})).toThrow(/^mcp\.json:1:62: There is no key "odd"\./);
});

test('so may a lock', async () => {
  const lock = join(folder, 'marked.lock.json');
  writeFileSync(lock, '\uFEFF{ "format": 1, "upstreams": { "crm": { "tools": {}, "prompts": {} } } }');
  expect(new MountLock('crm', lock).read()).toBeDefined();
});
