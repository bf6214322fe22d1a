import { spawn, spawnSync, type SpawnSyncOptions } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '@toolwright/manifest';

const cli = join(__dirname, '..');
const command = join(cli, 'bin/toolwright.js');
const typescript = join(__dirname, '../../../node_modules/typescript/bin/tsc');
const register = join(cli, 'dist/register.js');
let project: string;

/** The notes as a project of its own, compiled, with the packages installed as they would be. */
beforeAll(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-cli-')));
  cpSync(join(__dirname, 'fixtures/notes'), project, { recursive: true });
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      extends: join(__dirname, '../../../tsconfig.base.json'),
      compilerOptions: { rootDir: 'src', outDir: 'dist', composite: false, types: [] },
      include: ['src'],
    }),
  );
  symlinkSync(join(cli, 'node_modules'), join(project, 'node_modules'), 'dir');
  expect(node([typescript, '-p', '.'])).toMatchObject({ status: 0, stdout: '' });
}, 60_000);

afterAll(() => rmSync(project, { recursive: true }));

function node(args: string[], options: SpawnSyncOptions = {}) {
  return spawnSync(process.execPath, args, { cwd: project, ...options, encoding: 'utf8' });
}

/** A program that starts a server from the compiled notes and prints its tools. */
const app = `
  const { createMcpServer } = require('@toolwright/core');
  const { NoteTools, NoteStore } = require('./dist/note-tools.js');
  createMcpServer({ name: 'notes', version: '1', services: [NoteTools], providers: [NoteStore] })
    .then((server) => console.log(server.tools.list().map(({ name }) => name).join()))
    .catch((error) => { console.error(error.message); process.exitCode = 1; });
`;

/** Lists the modules of the TypeScript compiler that a command has loaded. */
const spy = `
  process.on('exit', () => {
    const loaded = Object.keys(require.cache).filter((path) => /[\\\\/]typescript[\\\\/]lib[\\\\/]/.test(path));
    if (loaded.length > 0) process.stderr.write('LOADED ' + loaded.join());
  });
`;

test('the pipeline is explained from the compiled classes, without building what they need', () => {
  const { status, stdout } = node([command, 'explain', 'find_notes']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/readOnlyHint: true/);
  expect(stdout).toMatch(/rate limit +7 points .* <- class/);
  expect(stdout).toMatch(/validate .* <- schema/);
});

test('a server finds no manifest, unless it is registered to be compiled on the fly', () => {
  const without = node(['-e', app]);
  expect(without).toMatchObject({ status: 1, stderr: expect.stringContaining('TW_MANIFEST_MISSING') });
  const registered = node(['--import', register, '-e', app]);
  expect(registered).toMatchObject({ status: 0, stdout: 'find_notes,create_note\n' });
  expect(existsSync(join(project, 'mcp.manifest.json'))).toBe(false);
});

test('help, version and a warm build load no TypeScript', () => {
  writeFileSync(join(project, 'spy.cjs'), spy);
  const spied = (...words: string[]) => node(['--require', './spy.cjs', command, ...words]).stderr;
  spied('build', '--out', 'warm.json');
  expect(spied('build', '--out', 'warm.json')).toBe('');
  expect(spied('--help')).toBe('');
  expect(spied('--version')).toBe('');
});

test('a change that breaks callers is told by diff, against the lock of the classes as they were', () => {
  expect(node([command, 'lock'])).toMatchObject({ status: 0, stdout: 'mcp.lock.json: 2 tools\n' });
  expect(node([command, 'diff'])).toMatchObject({ status: 0, stdout: 'No changes.\n' });
  const lock = join(project, 'mcp.lock.json');
  const text = readFileSync(lock, 'utf8');
  writeFileSync(
    lock,
    text.replace('"minLength": 2', '"minLength": 1').replace('Write a note.', 'Note it down.'),
  );
  const { status, stdout } = node([command, 'diff']);
  expect(status).toBe(1);
  expect(stdout.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
    'breaking find_notes/input/properties/query minLength was 1, is 2',
    'notable create_note/description description changed',
    ' - Note it down.',
    ' + Write a note.',
    '',
  ]);
});

test('build --watch builds again when a source changes, and ends on a signal', async () => {
  const out = join(project, 'watched.json');
  const child = spawn(process.execPath, [command, 'build', '--watch', '--out', out], { cwd: project });
  let printed = '';
  let look: () => void = () => undefined;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    look();
  });
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      look = () => pattern.test(printed) && resolve();
      look();
    });
  await says(/Watching/);
  const source = join(project, 'src/note-tools.ts');
  writeFileSync(source, readFileSync(source, 'utf8').replace("name: 'find_notes'", "name: 'seek_notes'"));
  printed = '';
  await says(/3 methods of 1 class/);
  const { entries } = JSON.parse(readFileSync(out, 'utf8')) as Manifest;
  expect(entries.map(({ name }) => name)).toContain('seek_notes');
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
}, 60_000);
