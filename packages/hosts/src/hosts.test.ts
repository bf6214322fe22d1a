import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { findHost, type Host, type HostId, hosts, setUpHost } from './hosts.js';
import type { HostServer } from './host.js';

const remote = { name: 'notes', description: 'Keeps notes', url: 'https://notes.example.com/mcp' };
const local = {
  name: 'notes',
  command: 'npx',
  args: ['-y', '@acme/notes'],
  env: { FOLDER: '/srv/my notes' },
};
const secret: HostServer = {
  ...remote,
  headers: { Authorization: { before: 'Bearer ', variable: 'NOTES_TOKEN' } },
};
const secretEnv: HostServer = { ...local, env: { NOTES_KEY: { variable: 'NOTES_KEY' } } };

const commands = (server: HostServer) =>
  Object.fromEntries(hosts.map(({ id, setUp }) => [id, setUp(server).command]).filter(([, line]) => line));
const entries = (server: HostServer) =>
  Object.fromEntries(
    hosts.flatMap(({ id, setUp }) => {
      const { config } = setUp(server);
      return config ? [[id, { [config.path.join('.')]: config.entry }]] : [];
    }),
  );
const problems = (server: HostServer) =>
  hosts.filter(({ setUp }) => setUp(server).problem !== undefined).map(({ id }) => id);

test('every host names the page that its entry follows, and is found by its id', () => {
  for (const host of hosts) {
    expect(host.source).toMatch(/^https:\/\//);
    expect(findHost(host.id)).toBe(host);
  }
  expect(findHost('toString')).toBeUndefined();
});

test('each host has at least one way for a server that it can use, and only a reason for one that it cannot', () => {
  for (const server of [remote, local, secret, secretEnv, { ...remote, url: 'http://127.0.0.1:3000/mcp' }])
    for (const { setUp } of hosts) {
      const { problem, ...ways } = setUp(server);
      expect(Object.keys(ways).length > 0).toBe(problem === undefined);
    }
});

test('a server over HTTP', () => {
  expect(commands(remote)).toMatchObject({
    'claude-code': 'claude mcp add --transport http notes https://notes.example.com/mcp',
    vscode: `code --add-mcp '{"name":"notes","type":"http","url":"https://notes.example.com/mcp"}'`,
    codex: 'codex mcp add notes --url https://notes.example.com/mcp',
    gemini: 'gemini mcp add --scope user --transport http notes https://notes.example.com/mcp',
  });
  const { url } = remote;
  expect(entries(remote)).toMatchObject({
    'claude-code': { 'mcpServers.notes': { type: 'http', url } },
    vscode: { 'servers.notes': { type: 'http', url } },
    cursor: { 'mcpServers.notes': { url } },
    windsurf: { 'mcpServers.notes': { serverUrl: url } },
    codex: { 'mcp_servers.notes': { url } },
    gemini: { 'mcpServers.notes': { httpUrl: url } },
    goose: {
      'extensions.notes': { name: 'notes', type: 'streamable_http', uri: url, enabled: true, timeout: 300 },
    },
    zed: { 'context_servers.notes': { url } },
  });
  for (const id of ['claude-desktop', 'claude-ai', 'chatgpt'] as const)
    expect(setUpHost(id, remote).steps!.join(' ')).toContain(url);
});

test('a program on standard input and output', () => {
  expect(commands(local)).toMatchObject({
    'claude-code': `claude mcp add --env 'FOLDER=/srv/my notes' --transport stdio notes -- npx -y @acme/notes`,
    vscode: `code --add-mcp '{"name":"notes","type":"stdio","command":"npx","args":["-y","@acme/notes"],"env":{"FOLDER":"/srv/my notes"}}'`,
    codex: `codex mcp add notes --env 'FOLDER=/srv/my notes' -- npx -y @acme/notes`,
    gemini: `gemini mcp add --scope user --env 'FOLDER=/srv/my notes' notes npx -- -y @acme/notes`,
  });
  const { command, args, env } = local;
  expect(entries(local)).toMatchObject({
    'claude-desktop': { 'mcpServers.notes': { command, args, env } },
    'claude-code': { 'mcpServers.notes': { type: 'stdio', command, args, env } },
    vscode: { 'servers.notes': { type: 'stdio', command, args, env } },
    cursor: { 'mcpServers.notes': { command, args, env } },
    windsurf: { 'mcpServers.notes': { command, args, env } },
    codex: { 'mcp_servers.notes': { command, args, env } },
    gemini: { 'mcpServers.notes': { command, args, env } },
    goose: { 'extensions.notes': { type: 'stdio', cmd: command, args, envs: env } },
    zed: { 'context_servers.notes': { command, args, env } },
  });
  expect(problems(local)).toEqual(expect.arrayContaining(['chatgpt', 'claude-ai']));
});

test('a secret is never written: each host asks for it, reads its variable, or says that it cannot', () => {
  expect(entries(secret)).toMatchObject({
    'claude-code': { 'mcpServers.notes': { headers: { Authorization: 'Bearer ${NOTES_TOKEN}' } } },
    vscode: { 'servers.notes': { headers: { Authorization: 'Bearer ${input:notes-NOTES_TOKEN}' } } },
    cursor: { 'mcpServers.notes': { headers: { Authorization: 'Bearer ${env:NOTES_TOKEN}' } } },
    windsurf: { 'mcpServers.notes': { headers: { Authorization: 'Bearer ${env:NOTES_TOKEN}' } } },
    codex: { 'mcp_servers.notes': { bearer_token_env_var: 'NOTES_TOKEN' } },
    gemini: { 'mcpServers.notes': { headers: { Authorization: 'Bearer ${NOTES_TOKEN}' } } },
  });
  expect(setUpHost('vscode', secret).config!.inputs).toEqual([
    { type: 'promptString', id: 'notes-NOTES_TOKEN', description: 'NOTES_TOKEN for notes', password: true },
  ]);
  expect(setUpHost('codex', secretEnv).config!.entry).toMatchObject({ env_vars: ['NOTES_KEY'] });
  expect(setUpHost('codex', { ...remote, headers: { 'X-Key': { variable: 'K' } } }).config!.text).toBe(
    '[mcp_servers.notes]\nurl = "https://notes.example.com/mcp"\n\n[mcp_servers.notes.env_http_headers]\nX-Key = "K"\n',
  );
  expect(setUpHost('goose', secret).steps!.join(' ')).toContain('NOTES_TOKEN');
  expect(problems(secret)).toEqual(expect.arrayContaining(['claude-desktop', 'zed', 'chatgpt', 'claude-ai']));
  expect(problems(secretEnv)).toEqual(
    expect.arrayContaining(['claude-desktop', 'zed', 'chatgpt', 'claude-ai']),
  );
});

test('links hold the same entry as the files', () => {
  const vscode = setUpHost('vscode', local).link!;
  expect(JSON.parse(decodeURIComponent(vscode.replace('vscode:mcp/install?', '')))).toEqual({
    name: 'notes',
    ...setUpHost('vscode', local).config!.entry,
  });
  const cursor = new URL(setUpHost('cursor', { ...remote, url: 'https://ä.example/mcp?x=%20' }).link!);
  expect(cursor.href).toMatch(/^cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?name=notes&config=/);
  expect(JSON.parse(atob(cursor.searchParams.get('config')!))).toEqual({
    url: 'https://xn--4ca.example/mcp?x=%20',
  });
  const goose = new URL(setUpHost('goose', remote).link!);
  expect(Object.fromEntries(goose.searchParams)).toEqual({
    url: remote.url,
    type: 'streamable_http',
    timeout: '300',
    id: 'notes',
    name: 'notes',
    description: 'Keeps notes',
  });
  const { env: _, ...plain } = local;
  const program = new URL(setUpHost('goose', plain).link!);
  expect([program.searchParams.get('cmd'), ...program.searchParams.getAll('arg')]).toEqual([
    'npx',
    '-y',
    '@acme/notes',
  ]);
  // Goose refuses links to any other program, and a link has no place for variables.
  expect(setUpHost('goose', { ...plain, command: 'node' }).link).toBeUndefined();
  expect(setUpHost('goose', local).link).toBeUndefined();
});

test.each<[string, string]>([
  ['http://notes.example.com/mcp', 'no TLS'],
  ['https://localhost/mcp', 'a name of this machine'],
  ['https://notes/mcp', 'a name of one network'],
  ['https://notes.local/mcp', 'a name of one network'],
  ['https://192.168.1.5/mcp', 'a private address'],
  ['https://172.20.0.1/mcp', 'a private address'],
  ['https://[::1]/mcp', 'a name of this machine'],
  ['https://[fd00::1]/mcp', 'a private address'],
])('clouds refuse %s: %s', (url) => {
  for (const id of ['claude-desktop', 'claude-ai', 'chatgpt'] as const)
    expect(setUpHost(id, { ...remote, url }).problem).toMatch(/public https URL/);
});

test('clouds send no headers, and say so', () => {
  expect(setUpHost('claude-ai', { ...remote, headers: { 'X-Team': 'a' } }).problem).toMatch(/no headers/);
});

test.each([
  ['@acme/notes', 'acme-notes'],
  ['My Notes!', 'My-Notes'],
  ['$(rm -rf ~)', 'rm--rf'],
  ['ノート', 'server'],
  ['a'.repeat(100), 'a'.repeat(64)],
])('hosts know the server %j as %s', (name, known) => {
  expect(setUpHost('cursor', { ...remote, name }).config!.path).toEqual(['mcpServers', known]);
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', 'notes.example.com'])(
  '%s is no URL of a server',
  (url) => {
    expect(() => setUpHost('cursor', { ...remote, url })).toThrow(TypeError);
  },
);

test('whatever stands in a value stays in that value', () => {
  const hostile = `'; touch /tmp/x; echo "\\ \n]\u007f$(id)\`id\``;
  const server = { name: 'notes', command: hostile, args: [hostile], env: { A: hostile } };
  const commandOf = (id: HostId) => setUpHost(id, server).command!;
  const { execFileSync } = jest.requireActual<typeof import('node:child_process')>('node:child_process');
  const words = (line: string) =>
    execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1);
  expect(words(commandOf('claude-code'))).toEqual([
    'claude',
    'mcp',
    'add',
    '--env',
    `A=${hostile}`,
    '--transport',
    'stdio',
    'notes',
    '--',
    hostile,
    hostile,
  ]);
  expect(parseYaml(setUpHost('goose', server).config!.text)).toMatchObject({
    extensions: { notes: { cmd: hostile, args: [hostile], envs: { A: hostile } } },
  });
  expect(JSON.parse(setUpHost('zed', server).config!.text)).toMatchObject({
    context_servers: { notes: { command: hostile } },
  });
});

/** A line of the table in docs/hosts.md, without the blanks that put columns in line. */
function documented({ title, source, file, setUp }: Host): string {
  const anywhere = setUp({ name: 'notes', url: 'http://127.0.0.1:3000/mcp' }).problem === undefined;
  const ways = [setUp(local), setUp(remote)];
  const has = (way: 'command' | 'link') => (ways.some((setup) => setup[way] !== undefined) ? 'yes' : 'no');
  return [
    `[${title}](${source})`,
    setUp(local).problem === undefined ? 'yes' : 'no',
    anywhere ? 'yes' : 'public https, by hand',
    has('command'),
    has('link'),
    file ? `\`${file.linux.split('/').at(-1)}\`` : 'none',
    secretsOf(setUp({ ...local, env: { NAME: { variable: 'NAME' } } })),
  ].join(' | ');
}

function secretsOf({ problem, steps, config }: ReturnType<Host['setUp']>): string {
  if (problem !== undefined) return 'refused';
  if (steps) return 'asked for in a dialog';
  const { env } = config!.entry as { env?: { NAME?: string } };
  return env?.NAME ? `\`${env.NAME}\`` : 'names of variables';
}

test('the table in docs/hosts.md says what each row does', () => {
  const page = readFileSync(join(__dirname, '../../../docs/hosts.md'), 'utf8');
  const lines = page.split('\n').filter((line) => line.startsWith('| ['));
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
      .join(' | '),
  );
  expect(cells).toEqual(hosts.map(documented));
});

/** The letters of the patterns of names, as docs/hosts.md writes them. */
const lettersOf = (pattern: string) => pattern.replace(/^\^\[a-zA-Z0-9(.*)\](\+|\{1,64\})\$$/, '$1');

/** A line of the table of limits in docs/hosts.md. */
function documentedLimits({ id, limits = {} }: Host): string {
  const { name, length, key, choices, tools, firstPage } = limits;
  const most = length?.most ?? /\{1,(\d+)\}/.exec(name?.pattern ?? '')?.[1] ?? '';
  return [
    `\`${id}\``,
    ['letters', 'digits', ...[...lettersOf(name!.pattern)].map((each) => `\`${each}\``)].join(', '),
    length?.prefix ? `${most} with \`${length.prefix}\`` : `${most}`,
    key ? `\`${key.pattern}\`` : '',
    choices ? 'texts only' : '',
    firstPage ? 'first page only' : `${tools?.most ?? ''}`,
  ].join(' | ');
}

test('the table of limits in docs/hosts.md is that of the hosts', () => {
  const page = readFileSync(join(__dirname, '../../../docs/hosts.md'), 'utf8');
  const [table] = page.slice(page.indexOf('| `--for`')).split('\n\n');
  const [, ...lines] = table!.split('\n').filter((line) => line.startsWith('| `'));
  const cells = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
      .join(' | '),
  );
  expect(cells).toEqual(hosts.filter(({ limits }) => limits).map(documentedLimits));
});
