import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { findServer } from './named-server.js';

const folder = temporaryFolder();

const home = join(folder, 'home');
const project = join(folder, 'home/code/notes');
const env = { HOME: home, USERPROFILE: home, GITHUB_TOKEN: 'gh', EMPTY: '' };

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
}

mkdirSync(join(project, 'src'), { recursive: true });
mkdirSync(join(project, '.git'));

const noted: string[] = [];
const err = (text: string) => void noted.push(text);
const find = (name: string, config?: string, more: object = {}) =>
  findServer(name, config, { cwd: join(project, 'src'), env, err, ...more });

/** The forms are those of public repositories; names and addresses are changed. */
const forms: [string, string, unknown, unknown][] = [
  [
    'a program with variables, in .mcp.json',
    'home/code/notes/.mcp.json',
    {
      mcpServers: {
        it: { command: 'npx', args: ['-y', 'server'], env: { T: '${GITHUB_TOKEN}', L: '${NONE:-low}' } },
      },
    },
    { command: 'npx', args: ['-y', 'server'], env: { T: 'gh', L: 'low' }, cwd: project },
  ],
  [
    'comments, commas at the end, and the folder of the workspace, in VS Code',
    'home/code/notes/.vscode/mcp.json',
    '{ // ours\n "servers": { "it": { "command": "node", "args": ["${workspaceFolder}"], "dev": { "watch": "a" }, }, } }',
    { command: 'node', args: [project], env: {}, cwd: project },
  ],
  [
    'an address with a header from the environment, in Cursor',
    'home/code/notes/.cursor/mcp.json',
    { mcpServers: { it: { url: 'https://mcp.example/mcp', headers: { 'X-Key': 'k ${env:GITHUB_TOKEN}' } } } },
    { url: new URL('https://mcp.example/mcp'), headers: { 'x-key': 'k gh' } },
  ],
  [
    'an address within "transport"',
    'home/code/notes/.cursor/mcp.json',
    {
      mcpServers: {
        it: { transport: { type: 'http', url: 'http://127.0.0.1:3845/mcp', headers: { A: 'b' } } },
      },
    },
    { url: new URL('http://127.0.0.1:3845/mcp'), headers: { a: 'b' } },
  ],
  [
    'a folder of a plugin, whose file has the servers at the top',
    'home/code/notes/.mcp.json',
    { it: { command: './run', args: ['--project', '${CLAUDE_PLUGIN_ROOT}'], cwd: 'mcp' } },
    { command: join(project, 'mcp/run'), args: ['--project', project], env: {}, cwd: join(project, 'mcp') },
  ],
  [
    'the address of Gemini CLI',
    'home/code/notes/.gemini/settings.json',
    { mcpServers: { it: { httpUrl: 'https://gemini.example/mcp' } } },
    { url: new URL('https://gemini.example/mcp'), headers: {} },
  ],
  [
    'the variables of Codex CLI',
    'home/.codex/config.toml',
    '[mcp_servers.it]\nurl = "https://codex.example/mcp"\nbearer_token_env_var = "GITHUB_TOKEN"\n',
    { url: new URL('https://codex.example/mcp'), headers: { authorization: 'Bearer gh' } },
  ],
  [
    'what a person has for one project in Claude Code',
    'home/.claude.json',
    { mcpServers: {}, projects: { [project]: { mcpServers: { it: { command: 'own' } } } } },
    { command: 'own', args: [], env: {}, cwd: project },
  ],
  [
    'the address of Windsurf',
    'home/.codeium/windsurf/mcp_config.json',
    { mcpServers: { it: { serverUrl: 'https://surf.example/mcp' } } },
    { url: new URL('https://surf.example/mcp'), headers: {} },
  ],
];

test.each(forms)('%s', async (_what, path, content, expected) => {
  write(path, content);
  expect(await find('it')).toEqual(expected);
  rmSync(join(folder, path));
});

test('a file of the variables is read', async () => {
  write('home/code/notes/.env', '# ours\nKEY="a b"\nexport T=from-file\n');
  write('home/code/notes/.vscode/mcp.json', {
    servers: { it: { command: 'x', envFile: '${workspaceFolder}/.env', env: { T: 'own' } } },
  });
  expect(await find('it')).toMatchObject({ env: { KEY: 'a b', T: 'own' } });
});

test('what VS Code would ask for is asked here, and without a person it is an error', async () => {
  write('home/code/notes/.vscode/mcp.json', {
    inputs: [{ id: 'token', type: 'promptString', description: 'The token', password: true }],
    servers: {
      it: { url: 'https://${input:host}/mcp', headers: { Authorization: 'Bearer ${input:token}' } },
    },
  });
  const asked: string[] = [];
  const ask = (question: string) => Promise.resolve(asked.push(question) === 1 ? 'vs.example' : 'secret');
  expect(await find('it', undefined, { ask })).toEqual({
    url: new URL('https://vs.example/mcp'),
    headers: { authorization: 'Bearer secret' },
  });
  expect(asked).toEqual(['host: ', 'The token: ']);
  await expect(find('it')).rejects.toThrow('asks for "host", and there is nobody to ask');
});

test.each([
  [{ command: 'x', env: { T: '${NO_SUCH}' } }, 'needs the variable NO_SUCH, which is not set'],
  [{ command: 'x', env: { T: '${EMPTY}' } }, 'needs the variable EMPTY, which is not set'],
  [{ url: 'ftp://x' }, 'has an address that is no http or https URL'],
  [{ type: 'http' }, 'has neither a command nor a URL'],
  [
    { command: 'node ../s.mjs' },
    'has the command "node ../s.mjs", and no such program: write its first word there, and the others in "args"',
  ],
])('%j is an error that names the file', async (entry, words) => {
  write('home/code/notes/other.json', { mcpServers: { it: entry } });
  const other = join(project, 'other.json');
  await expect(find('it', '../other.json')).rejects.toThrow(`The server it of ${other} ${words}.`);
});

test('a program may have a blank in its path, and "sse" is not taken for today\'s transport in silence', async () => {
  write('home/code/notes/my tools/server', '');
  write('home/code/notes/other.json', {
    mcpServers: { it: { command: './my tools/server' }, old: { type: 'sse', url: 'https://a.example/sse' } },
  });
  expect(await find('it', '../other.json')).toMatchObject({ command: join(project, 'my tools/server') });
  expect(await find('old', '../other.json')).toMatchObject({ url: new URL('https://a.example/sse') });
  expect(noted).toEqual([
    expect.stringMatching(/says that old is "sse", .* The command uses Streamable HTTP/),
  ]);
});

test('a variable as a shell writes it, and a server that is switched off, are told', async () => {
  noted.length = 0;
  const headers = { Authorization: 'Bearer $TOK', A: '${GITHUB_TOKEN}', B: 'pa$word', C: '$lower' };
  write('home/code/notes/other.json', {
    mcpServers: {
      it: { url: 'https://a.example', headers },
      off: { url: 'https://a.example', disabled: true },
      out: { url: 'https://a.example', enabled: false },
      on: { url: 'https://a.example', disabled: false },
    },
  });
  const file = join(project, 'other.json');
  for (const name of ['it', 'off', 'out', 'on']) await find(name, '../other.json');
  expect(noted).toEqual([
    `The server it of ${file} gets "$TOK" as it is written. For the value of the variable, write \${TOK}.`,
    `${file} says that off is disabled. The command uses it all the same.`,
    `${file} says that out is disabled. The command uses it all the same.`,
  ]);
});

test('an entry that is no server is not suggested', async () => {
  write('home/code/notes/other.json', { mcpServers: { null: null, github: { url: 'https://a.example' } } });
  const file = join(project, 'other.json');
  await expect(find('null', '../other.json')).rejects.toThrow(
    `No server is called null in ${file}. There are: github.`,
  );
});

test('a name that no file has is an error with the nearest one, and with the names that there are', async () => {
  write('home/code/notes/other.json', { mcpServers: { github: { url: 'https://a.example' }, memory: {} } });
  await expect(find('gihub', '../other.json')).rejects.toThrow('Did you mean github?');
  await expect(find('zzzzzz', '../other.json')).rejects.toThrow('There are: github, memory.');
  await expect(find('it', 'none.json')).rejects.toThrow('There is no none.json.');
});

test('outside of a repository, no file of a folder above is read: others may write there', async () => {
  write('shared/.mcp.json', { mcpServers: { it: { command: 'evil' } } });
  mkdirSync(join(folder, 'shared/mine'));
  const cwd = join(folder, 'shared/mine');
  await expect(
    findServer('it', undefined, { cwd, err, env: { HOME: cwd, USERPROFILE: cwd } }),
  ).rejects.toThrow(
    'No file of settings here names a server, so none is called it. Write .mcp.json, name another file with --config, or give an address with --url.',
  );
});

test('a file that cannot be read is named, with its line', async () => {
  writeFileSync(join(folder, 'home/code/notes/torn.json'), '{ "mcpServers": {\n "x": { ');
  await expect(find('x', '../torn.json')).rejects.toThrow(
    `${join(folder, 'home/code/notes/torn.json')}: Line 2 is not JSON: close brace expected. Change the file by hand.`,
  );
});

test('an address with a password is refused, and not repeated', async () => {
  write('password.json', { mcpServers: { it: { url: 'https://me:canary@mcp.example/mcp' } } });
  const refused = find('it', join(folder, 'password.json'));
  await expect(refused).rejects.toThrow(/--header "Authorization: Basic/);
  await expect(refused).rejects.not.toThrow(/canary/);
});
