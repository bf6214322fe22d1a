import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '@toolwright/manifest';
import { programs, ProjectFolder, repository } from './support/project-folder.js';

const register = join(repository, 'packages/cli/dist/register.js');
let project: ProjectFolder;

/** The notes app as a separate, compiled project, with the packages installed as users would have them. */
beforeAll(() => {
  project = new ProjectFolder();
  cpSync(join(__dirname, 'fixtures/notes'), project.folder, { recursive: true });
  project.write(
    'tsconfig.json',
    JSON.stringify({
      extends: join(repository, 'tsconfig.base.json'),
      compilerOptions: { rootDir: 'src', outDir: 'dist', composite: false, types: [] },
      include: ['src'],
    }),
  );
  project.link('node_modules', 'packages/cli/node_modules');
  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
});

afterAll(() => project.remove());

/** A program that starts a server from the compiled notes app and prints its tools. */
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

test('the steps of a call are explained from the compiled classes, without creating their dependencies', () => {
  const { status, stdout } = project.toolwright('explain', 'find_notes');
  expect(status).toBe(0);
  expect(stdout).toMatch(/readOnlyHint: true/);
  expect(stdout).toMatch(/rate limit +7 a minute, .* <- class/);
  expect(stdout).toMatch(/validate .* <- schema/);
});

test('a server finds no manifest, unless it starts with on-the-fly compilation', () => {
  const without = project.node('-e', app);
  expect(without).toMatchObject({ status: 1, stderr: expect.stringContaining('TW_MANIFEST_MISSING') });
  const registered = project.node('--import', register, '-e', app);
  expect(registered).toMatchObject({ status: 0, stdout: 'find_notes,create_note\n' });
  expect(project.has('mcp.manifest.json')).toBe(false);
});

test('what dev loads into the process of an app brings no parser of command lines with it', () => {
  const preload = join(repository, 'packages/cli/dist/dev/child/preload.js');
  const commander = 'Object.keys(require.cache).filter((path) => /[\\\\/]commander[\\\\/]/.test(path))';
  expect(project.node('--require', preload, '-p', commander)).toMatchObject({ status: 0, stdout: '[]\n' });
});

test('help, version and a warm build load no TypeScript', () => {
  project.write('spy.cjs', spy);
  const spied = (...words: string[]) =>
    project.node('--require', './spy.cjs', programs.toolwright, ...words).stderr;
  spied('build', '--out', 'warm.json');
  expect(spied('build', '--out', 'warm.json')).toBe('');
  expect(spied('--help')).toBe('');
  expect(spied('--version')).toBe('');
});

test('diff reports a change that breaks callers, compared with the lock of the earlier classes', () => {
  expect(project.toolwright('lock')).toMatchObject({
    status: 0,
    stdout: 'mcp.lock.json: 2 tools, 1 prompt\n',
  });
  expect(project.toolwright('diff')).toMatchObject({ status: 0, stdout: 'No changes.\n' });
  project.edit('mcp.lock.json', '"minLength": 2', '"minLength": 1');
  project.edit('mcp.lock.json', 'Write a note.', 'Note it down.');
  const { status, stdout } = project.toolwright('diff');
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
  const words = ['build', '--watch', '--out', 'watched.json'];
  const child = spawn(process.execPath, [programs.toolwright, ...words], { cwd: project.folder });
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
  project.edit('src/note-tools.ts', "name: 'find_notes'", "name: 'seek_notes'");
  printed = '';
  await says(/3 methods of 1 class/);
  const { entries } = JSON.parse(project.read('watched.json')) as Manifest;
  expect(entries.map(({ name }) => name)).toContain('seek_notes');
  child.kill('SIGTERM');
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
});
