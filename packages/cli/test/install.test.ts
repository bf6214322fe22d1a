import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { hosts } from '@toolwright/hosts';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { editableHosts, hostPath } from '../src/install/find-hosts.js';
import { run } from '../src/run.js';
import { RecordingTerminal } from './support/recording-terminal.js';

const URL = 'https://notes.example.com/mcp';
let home: string;
beforeEach(() => (home = temporaryFolder()));

/** Runs the command with the home folder of the test. The person, if there is one, gives this answer. */
async function toolwright(words: string[], answer?: string) {
  const env = { HOME: home, USERPROFILE: home, APPDATA: join(home, 'AppData') };
  const terminal = Object.assign(new RecordingTerminal(join(home, 'project')), {
    env,
    ...(answer !== undefined && { ask: () => Promise.resolve(answer) }),
  });
  const code = await run(words, terminal);
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}
const install = (host: string, ...more: string[]) =>
  toolwright(['install', '--host', host, '--name', 'notes', '--url', URL, ...more]);
const at = (path: string) => join(home, path);
const read = (path: string) => readFileSync(at(path), 'utf8');
function put(path: string, text: string): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

const machine = () => ({ platform: process.platform, home, env: {} });
const local = ['--name', 'notes', '--stdio', 'npx -y @acme/notes', '--yes'];

test.each(editableHosts.map(({ id }) => id))('%s: install, install again, uninstall', async (id) => {
  const { path } = hostPath(hosts.find((host) => host.id === id)!.file!, machine());
  const first = await toolwright(['install', '--host', id, ...local]);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('@acme/notes') });
  expect(readFileSync(path, 'utf8')).toContain('@acme/notes');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(await toolwright(['install', '--host', id, ...local])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('there already'),
  });
  const removed = await toolwright(['uninstall', '--host', id, '--name', 'notes', '--yes']);
  expect(removed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^-.*acme\/notes/m) });
  expect(readFileSync(path, 'utf8')).not.toContain('notes');
  const again = await toolwright(['uninstall', '--host', id, '--name', 'notes', '--yes']);
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('no such server') });
});

test('only our entry changes; comments, order and permissions stay', async () => {
  const before = '// mine\n{\n  "mcpServers": {\n    "other": {}, // keep\n  },\n  "x": 1\n}\n';
  put('.cursor/mcp.json', before);
  chmodSync(at('.cursor/mcp.json'), 0o640);
  await install('cursor', '--yes');
  expect(read('.cursor/mcp.json')).toBe(
    before.replace('// keep', `// keep\n    "notes": {\n      "url": "${URL}"\n    },`),
  );
  expect(statSync(at('.cursor/mcp.json')).mode & 0o777).toBe(0o640);
  await toolwright(['uninstall', '--host', 'cursor', '--name', 'notes', '--yes']);
  expect(read('.cursor/mcp.json')).toBe(before);
});

test('the change is shown first, and written only after a yes', async () => {
  expect(await install('cursor')).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
  const words = ['install', '--host', 'cursor', '--name', 'notes', '--url', URL];
  const refused = await toolwright(words, 'n');
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/^\+.*"url"/m) });
  expect(existsSync(at('.cursor'))).toBe(false);
  expect(await toolwright([...words, '--dry-run'])).toMatchObject({ code: 0, stdout: refused.stdout });
  expect(existsSync(at('.cursor'))).toBe(false);
  expect(await toolwright(words, 'y')).toMatchObject({ code: 0 });
  expect(JSON.parse(read('.cursor/mcp.json'))).toEqual({ mcpServers: { notes: { url: URL } } });
});

test('without --host, the hosts that are on this machine are told', async () => {
  const words = ['install', '--name', 'notes', '--url', URL, '--yes'];
  expect(await toolwright(words)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No host was found'),
  });
  put('.codex/config.toml', 'model = "x"\n');
  mkdirSync(at('.codeium/windsurf'), { recursive: true });
  expect(await toolwright(words)).toMatchObject({ code: 0 });
  expect(read('.codex/config.toml')).toBe(`model = "x"\n\n[mcp_servers.notes]\nurl = "${URL}"\n`);
  expect(JSON.parse(read('.codeium/windsurf/mcp_config.json'))).toMatchObject({
    mcpServers: { notes: { serverUrl: URL } },
  });
  expect(existsSync(at('.cursor'))).toBe(false);
});

test.each(['chatgpt', 'claude-ai', 'claude-desktop', 'goose'])('%s: what to do is printed', async (id) => {
  const { code, stdout } = await install(id);
  expect([code, stdout]).toEqual([0, expect.stringContaining('notes.example.com')]);
  expect(readdirSync(home)).toEqual([]);
});

test('a host that cannot use the server says why, and the exit code is 1', async () => {
  const { code, stderr } = await toolwright([
    'install',
    '--host',
    'chatgpt',
    '--url',
    'http://127.0.0.1:3000/mcp',
  ]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/not possible: ChatGPT .* public https URL/)]);
});

test.each([
  ['the file', () => symlinkSync(at('elsewhere.json'), at('.cursor/mcp.json'))],
  [
    'a folder on the way',
    () => (rmSync(at('.cursor'), { recursive: true }), symlinkSync(at('dots'), at('.cursor'))),
  ],
])('nothing is written through a link: %s', async (_what, link) => {
  mkdirSync(at('.cursor'));
  put('elsewhere.json', '{}');
  put('dots/mcp.json', '{}');
  link();
  const { code, stderr } = await install('cursor', '--yes');
  expect([code, stderr]).toEqual([1, expect.stringContaining('is a symbolic link')]);
  expect([read('elsewhere.json'), read('dots/mcp.json')]).toEqual(['{}', '{}']);
});

describe('secrets', () => {
  test.each([
    [['--url', URL, '--header', 'Authorization: Bearer abc-canary']],
    [['--url', 'https://me:abc-canary@notes.example.com/mcp']],
    [['--url', `${URL}?token=abc-canary`]],
    [['--stdio', 'npx notes', '--env', 'API_KEY=abc-canary']],
    [['--stdio', 'npx notes --api-key abc-canary']],
    [['--stdio', 'npx notes --token=abc-canary']],
    [['--stdio', 'npx notes sk-abc-canary']],
  ])('%j is refused, and not repeated', async (words) => {
    const { code, stdout, stderr } = await toolwright(['install', '--host', 'cursor', '--yes', ...words]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('looks like a secret')]);
    expect(stdout + stderr).not.toContain('abc-canary');
    expect(readdirSync(home)).toEqual([]);
  });

  test('a variable is written the way of the host, never with its value', async () => {
    const words = [
      '--name',
      'notes',
      '--url',
      URL,
      '--yes',
      '--header',
      'Authorization: Bearer ${NOTES_TOKEN}',
    ];
    const all = ['cursor', 'codex', 'claude-code'].flatMap((id) => ['--host', id]);
    expect(await toolwright(['install', ...all, ...words])).toMatchObject({ code: 0 });
    expect(read('.cursor/mcp.json')).toContain('Bearer ${env:NOTES_TOKEN}');
    expect(read('.claude.json')).toContain('Bearer ${NOTES_TOKEN}');
    expect(read('.codex/config.toml')).toContain('bearer_token_env_var = "NOTES_TOKEN"');
  });
});

test('another server of the same name is replaced only on request', async () => {
  put('.cursor/mcp.json', '{ "mcpServers": { "notes": { "command": "other" } } }');
  const { code, stderr } = await install('cursor', '--yes');
  expect([code, stderr]).toEqual([1, expect.stringContaining('--replace')]);
  expect(read('.cursor/mcp.json')).toContain('other');
  expect(await install('cursor', '--yes', '--replace')).toMatchObject({ code: 0 });
  expect(read('.cursor/mcp.json')).toContain(URL);
});

test('a file that cannot be read is left alone', async () => {
  put('.cursor/mcp.json', '{ "mcpServers": ');
  expect(await install('cursor', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('by hand'),
  });
  expect(read('.cursor/mcp.json')).toBe('{ "mcpServers": ');
});

test('a program of the project gets its whole path, and the project its name', async () => {
  put('project/package.json', '{ "name": "@acme/notes" }');
  put('project/dist/main.js', '');
  await toolwright(['install', '--host', 'cursor', '--stdio', 'node dist/main.js --verbose', '--yes']);
  expect(JSON.parse(read('.cursor/mcp.json')).mcpServers).toEqual({
    'acme-notes': { command: 'node', args: [at('project/dist/main.js'), '--verbose'] },
  });
});

test.each([
  [['install', '--host', 'emacs'], 'There are claude-desktop'],
  [['install', '--host', 'cursor', '--env', 'A=b'], '--env is for a program'],
  [['install', '--host', 'cursor', '--stdio', 'x', '--header', 'A: b'], '--header is for a server over HTTP'],
  [['install', '--host', 'cursor', '--stdio', 'x', '--env', '1=2'], 'Write --env as'],
  [['uninstall', '--host', 'cursor'], 'Pass --name'],
])('%j is not understood', async (words, message) => {
  expect(await toolwright(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
