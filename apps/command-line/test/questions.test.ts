import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { keys, PseudoTerminal, terminalTest } from './support/pseudo-terminal.js';

const packages = join(__dirname, '../../../packages');
const create = [
  process.execPath,
  join(packages, 'create-toolwright/bin/create-toolwright.js'),
  '--files-only',
];
const newApp = [process.execPath, join(packages, 'cli/bin/toolwright.js'), 'new', 'app', '--files-only'];
const env = { PATH: process.env['PATH']! };
let folder: string;

beforeEach(() => (folder = temporaryFolder()));

const start = (words: string[], more: Record<string, string> = {}) =>
  PseudoTerminal.start(words, { cwd: folder, env: { ...env, ...more } });

const transportOf = (app: string) =>
  (JSON.parse(readFileSync(join(folder, app, '.vscode/mcp.json'), 'utf8')) as { servers: any }).servers[app]
    .type;

terminalTest('an empty answer takes what is shown', async () => {
  const terminal = start(create);
  await terminal.see('Which folder?');
  terminal.type(keys.enter);
  for (const question of [
    'How do clients reach it?',
    'Who may call it?',
    'Where does it keep its data?',
    'What runs its tests?',
  ]) {
    await terminal.see(question);
    terminal.type(keys.enter);
  }
  expect(await terminal.exit()).toBe(0);
  expect(transportOf('my-server')).toBe('http');
});

terminalTest('a folder that will not do is asked for again', async () => {
  const terminal = start([...create, '--transport', 'stdio', '--db', 'none', '--test', 'node']);
  await terminal.see('Which folder?');
  terminal.type('Notes');
  terminal.type(keys.enter);
  await terminal.see('Notes is no name for a package');
  terminal.type('\u007f'.repeat(5) + 'notes');
  terminal.type(keys.enter);
  expect(await terminal.exit()).toBe(0);
  expect(transportOf('notes')).toBe('stdio');
});

terminalTest('who may call is not asked of a program that its client starts', async () => {
  const terminal = start([...create, 'local']);
  await terminal.see('How do clients reach it?');
  terminal.type(keys.down);
  terminal.type(keys.enter);
  await terminal.see('Where does it keep its data?');
  terminal.type(keys.enter);
  await terminal.see('What runs its tests?');
  terminal.type(keys.down);
  terminal.type(keys.enter);
  expect(await terminal.exit()).toBe(0);
  expect(existsSync(join(folder, 'local/vitest.config.mts'))).toBe(true);
  expect(terminal.screen).not.toContain('Who may call it?');
});

terminalTest.each([
  ['Ctrl C', keys.interrupt],
  ['Ctrl D', keys.endOfInput],
])('whoever gives up with %s leaves nothing behind', async (_, key) => {
  const terminal = start([...create, 'orders']);
  await terminal.see('How do clients reach it?');
  terminal.type(key);
  expect(await terminal.exit()).toBe(1);
  expect(terminal.screen).toContain('Nothing was written.');
  expect(readdirSync(folder)).toEqual([]);
});

terminalTest('what is wrong already is told before anything is asked', async () => {
  const terminal = start([...create, 'orders', '--db', 'oracle']);
  expect(await terminal.exit()).toBe(2);
  expect(terminal.screen).toBe('error: --db is one of none, pglite, not oracle.\r\n');
});

test('a folder that cannot be written is told in a sentence', () => {
  writeFileSync(join(folder, 'file'), '');
  const [node, ...words] = create as [string, ...string[]];
  const { status, stderr } = spawnSync(node, [...words, join(folder, 'file/orders')], {
    env,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^error: The app cannot be written: E\w+: .*\. Name another folder\.\n$/),
  });
});

terminalTest.each([
  ['--yes', ['--yes'], {}],
  ['in a build, which nobody watches', [], { CI: 'true' }],
])('nothing is asked with %s', async (_case, words, more) => {
  const terminal = start([...create, ...words], more);
  expect(await terminal.exit()).toBe(0);
  expect(terminal.screen).not.toContain('?');
  expect(transportOf('my-server')).toBe('http');
});

terminalTest('toolwright new app asks the same', async () => {
  const terminal = start([...newApp, 'apps/orders', '--db', 'none', '--test', 'node']);
  await terminal.see('How do clients reach it?');
  terminal.type(keys.down);
  terminal.type(keys.enter);
  await terminal.see('apps/orders: ');
  expect(await terminal.exit()).toBe(0);
  expect(existsSync(join(folder, 'apps/orders/src/main.ts'))).toBe(true);
});

terminalTest('changes of an app are shown, and written when the person agrees', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "dependencies": { "express": "5" } }');
  writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "module": "nodenext" } }');
  writeFileSync(join(folder, 'app.ts'), "import express from 'express';\nconst app = express();\n");
  const terminal = start([process.execPath, join(packages, 'cli/bin/toolwright.js'), 'init']);
  await terminal.see("+app.use('/mcp', mcpEndpoint);");
  await terminal.see('Write these 5 files? [y/N]');
  terminal.type(`y${keys.enter}`);
  expect(await terminal.exit()).toBe(0);
  expect(readFileSync(join(folder, 'app.ts'), 'utf8')).toContain("app.use('/mcp', mcpEndpoint);\n");
});

test('without a terminal nothing is asked, and nobody is waited for', async () => {
  const [command, ...words] = create;
  // Standard input stays open, as a program that forgot to close it leaves it.
  const child = spawn(command!, words, { cwd: folder, env, stdio: ['pipe', 'ignore', 'inherit'] });
  expect(await once(child, 'exit')).toEqual([0, null]);
  child.stdin!.end();
  expect(transportOf('my-server')).toBe('http');
});

test('an app that cannot be set up stays, and the command says so', () => {
  const [command, ...words] = create.slice(0, 2);
  // Nobody listens there.
  const unreachable = {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    HOME: folder,
  };
  const made = spawnSync(command!, [...words, 'orders', '--yes'], {
    cwd: folder,
    env: { ...env, ...unreachable },
    encoding: 'utf8',
  });
  expect(made).toMatchObject({ status: 1, stdout: '' });
  expect(made.stderr).toMatch(
    /ECONNREFUSED[^]*\n"npm install" has failed: its output is above\. .*\n\n {2}cd orders\n {2}npm install\n {2}npm run test\n\nOr remove the folder, and begin again\.\n$/,
  );
  expect(existsSync(join(folder, 'orders/package.json'))).toBe(true);
});
