import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { run } from '../../src/run.js';
import { hidingAll, hostileServer } from '../support/hostile-server.js';
import { programs } from '../support/project-folder.js';
import { RecordingTerminal } from '../support/recording-terminal.js';

/** Everything that controls a screen, is invisible, or appears at another place. Only line ends are allowed. */
const unseen = /(?!\n)[\p{C}\p{Zl}\p{Zp}\u200b]|\p{M}{5}/u;

let server: Awaited<ReturnType<typeof hostileServer>>;
let folder: string;
beforeAll(async () => {
  server = await hostileServer();
  folder = temporaryFolder();
});
afterAll(async () => {
  await server.close();
});

async function at(words: string[], to: 'screen' | 'pipe' = 'screen') {
  const columns = to === 'screen' ? 100 : undefined;
  const terminal = Object.assign(new RecordingTerminal(folder), { columns });
  const at = words.map((word) => word.replace('URL', server.url));
  const code = await run(at, terminal);
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

test.each([
  ['list --url URL', 0],
  ['list --url URL --json', 0],
  ['call --url URL read', 0],
  ['call --url URL structured', 0],
  ['call --url URL read --json', 0],
  ['call --url URL fail', 1],
  ['call --url URL refuse', 1],
  ['call --url URL unknown', 2],
  ['call --url URL read --unknown', 2],
  ['lock --url URL', 0],
  ['diff --url URL', 0],
  ['client --url URL', 0],
])('%s hides nothing on a screen', async (line, exitCode) => {
  const { code, stdout, stderr } = await at(line.replace('read --json', '--json read').split(' '));
  expect(code).toBe(exitCode);
  expect(stdout).not.toMatch(unseen);
  expect(stderr).not.toMatch(unseen);
});

test('text for people hides nothing in a pipe either, because the pipe may lead to a screen', async () => {
  const { stdout } = await at(['list', '--url', 'URL'], 'pipe');
  expect(stdout).toContain('\\u{1b}[8mDelete everything?');
  expect(stdout).not.toMatch(unseen);
  expect(stdout.split('\n').filter((line) => line.startsWith('error'))).toEqual([]);
});

test('written files hide nothing, and their values are exact', async () => {
  await at(['lock', '--url', 'URL']);
  await at(['client', '--url', 'URL']);
  const lock = readFileSync(join(folder, 'mcp.lock.json'), 'utf8');
  expect(lock).not.toMatch(unseen);
  expect(JSON.parse(lock).tools.read.title).toBe(hidingAll);
  expect(readFileSync(join(folder, 'client.ts'), 'utf8')).not.toMatch(unseen);
});

test('a text in a pipe is exact, and so is JSON', async () => {
  const text = await at(['call', '--url', 'URL', 'read'], 'pipe');
  expect(text.stdout).toBe(hidingAll);
  const json = await at(['call', '--url', 'URL', '--json', 'read'], 'pipe');
  expect(JSON.parse(json.stdout).content).toEqual([{ type: 'text', text: hidingAll }]);
  expect(json.stdout).not.toMatch(unseen);
});

test('the command itself writes the bytes of a text into a pipe, and nothing else', async () => {
  const child = spawn(process.execPath, [programs.toolwright, 'call', '--url', server.url, 'read']);
  const written: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => written.push(bytes));
  await new Promise((resolve) => child.once('close', resolve));
  expect(Buffer.concat(written).equals(Buffer.from(hidingAll))).toBe(true);
});

test('an error of a tool hides nothing in a pipe either, because it is for people', async () => {
  const { stdout, stderr } = await at(['call', '--url', 'URL', 'fail'], 'pipe');
  expect(stdout).toBe('');
  expect(stderr).not.toMatch(unseen);
});

test('a question hides no part of itself from the person who answers it', async () => {
  const asked: string[] = [];
  const terminal = Object.assign(new RecordingTerminal(folder), {
    ask: (question: string) => Promise.resolve(asked.push(question) ? 'n' : ''),
  });
  expect(await run(['call', '--url', server.url, 'ask'], terminal)).toBe(0);
  expect(terminal.stderr).toBe(
    'The server asks:\n│ \\u{1b}[8mDelete everything?\\u{1b}[28m\n│ Show the weather?\n',
  );
  expect(asked).toEqual(['Go on? [y/N] ']);
  expect(terminal.stdout).toContain('decline');
});

test('on a screen, the command itself writes only visible text', async () => {
  const preload = join(__dirname, '../support/pretend-screen.cjs');
  const words = ['-r', preload, programs.toolwright, 'call', '--url', server.url, 'ask'];
  const child = spawn(process.execPath, words, { env: { PATH: process.env['PATH'], NO_COLOR: '1' } });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (text.includes('Go on?')) child.stdin.end('n\n');
  });
  await new Promise((resolve) => child.once('close', resolve));
  expect(screen).toContain('│ \\u{1b}[8mDelete everything?\\u{1b}[28m');
  expect(screen).toContain('decline');
  expect(screen).not.toContain('\u001b[8m');
});
