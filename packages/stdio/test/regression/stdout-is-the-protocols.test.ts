import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { onPosix } from '../../../../.ci/test/support/on-platforms.js';

const fixture = (name: string) => join(__dirname, '../fixtures', name);

const WAYS = [
  'console',
  'a kept console',
  'a console of its own',
  'the stream',
  'a kept function of the stream',
  'the stream as a list of parts',
  'the descriptor',
  'the descriptor as a file',
  'a stream of the descriptor',
  'a child',
  'a child with the descriptor',
  'a child with the stream',
  'a child that is waited for',
  'a file that is waited for',
  'a shell',
  'a thread',
];

const ask = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const initialize = ask(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});
const calls = WAYS.map((way, at) => ask(at + 1, 'tools/call', { name: 'print', arguments: { way } }));
const ids = [0, ...WAYS.map((_, at) => at + 1)];
const idsOf = (stdout: string) =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id as number)
    .sort((one, other) => one - other);
const printed = WAYS.map((way) => `by_${way.replaceAll(' ', '_')}`);

test('whatever prints, in whatever way, only the protocol reaches standard output of the guarded process', async () => {
  const child = spawn(process.execPath, [fixture('loud-server.mjs'), '--guard']);
  const said = text(child.stderr);
  const answers = text(child.stdout);
  child.stdin.end(initialize + calls.join(''));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(idsOf(await answers)).toEqual(ids);
  for (const each of ['at import', ...printed, 'at the end']) expect(await said).toContain(each);
});

test('the same holds when standard output is a file', async () => {
  const folder = temporaryFolder();
  const file = openSync(join(folder, 'out'), 'w');
  const child = spawn(process.execPath, [fixture('loud-server.mjs'), '--guard'], {
    stdio: ['pipe', file, 'pipe'],
  });
  closeSync(file);
  const said = text(child.stderr!);
  child.stdin!.end(initialize + calls.join(''));
  await once(child, 'close');
  expect(idsOf(readFileSync(join(folder, 'out'), 'utf8'))).toEqual(ids);
  for (const each of printed) expect(await said).toContain(each);
});

const PATHS = [
  'the path',
  'the path in the process',
  'the path as bytes',
  'the path as an address',
  'the path with a promise',
  'a stream of the path',
  'a file of the path',
  'a descriptor of the path',
];

// Sockets, which Node.js gives to children, have no path that can be opened. Other hosts give pipes.
onPosix('what is written to the path of standard output goes to standard error', async () => {
  const folder = temporaryFolder();
  const pipes = '{ "$0" "$@" 2>&1 1>&3 3>&- | cat > "$FILE"; } 3>&1 | cat';
  const FILE = join(folder, 'err');
  const server = [process.execPath, fixture('loud-server.mjs'), '--guard'];
  const child = spawn('sh', ['-c', pipes, ...server], { env: { ...process.env, FILE } });
  const answers = text(child.stdout);
  const asked = PATHS.map((way, at) => ask(at + 1, 'tools/call', { name: 'print', arguments: { way } }));
  child.stdin.end(initialize + asked.join(''));
  await once(child, 'close');
  expect(idsOf(await answers)).toEqual([0, ...PATHS.map((_, at) => at + 1)]);
  const said = readFileSync(FILE, 'utf8');
  for (const way of PATHS) expect(said).toContain(`by_${way.replaceAll(' ', '_')}`);
});

test('without the guard, what is printed after serveStdio stays away, also by what was kept before', async () => {
  const child = spawn(process.execPath, [fixture('loud-server.mjs')], { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = text(child.stdout);
  child.stdin.end(initialize + calls.join(''));
  await once(child, 'close');
  const [first, ...rest] = (await answers).split('\n');
  expect(first).toBe('at import');
  expect(idsOf(rest.join('\n'))).toEqual(ids);
});

test('a host that has closed standard error is still served', async () => {
  const child = spawn(process.execPath, [fixture('loud-server.mjs'), '--guard']);
  const lines = createInterface(child.stdout);
  child.stdin.write(initialize);
  await once(lines, 'line');
  child.stderr.destroy();
  const printing = ['console', 'the stream', 'a kept function of the stream'];
  for (const way of printing) {
    child.stdin.write(ask(WAYS.indexOf(way), 'tools/call', { name: 'print', arguments: { way } }));
    const [line] = (await once(lines, 'line')) as [string];
    expect(JSON.parse(line)).toMatchObject({
      id: WAYS.indexOf(way),
      result: { content: [{ text: 'printed' }] },
    });
  }
  child.stdin.end();
  expect(await once(child, 'close')).toEqual([0, null]);
});

test('who has guarded standard output can give it back', () => {
  const program = `
    const { guardStdout } = require(${JSON.stringify(join(__dirname, '../../dist/bundle.js'))});
    const first = guardStdout();
    const second = guardStdout();
    first();
    first();
    console.log('guarded');
    second();
    console.log('stream');
    require('node:fs').writeSync(1, 'descriptor\\n');
    require('node:child_process').spawnSync(process.execPath, ['-p', '"child"'], { stdio: 'inherit' });
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['stream\ndescriptor\nchild\n', 'guarded\n']);
});
