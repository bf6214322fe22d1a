import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { programs } from '../../../packages/cli/test/support/project-folder.js';
import { runIn } from '../../../packages/cli/test/support/recording-terminal.js';
import { callTool } from './support/call-tool.js';
import { GuideApp } from './support/guide-app.js';
import { readPage, tutorialSettings } from './support/read-page.js';

// Compiles both servers, and starts each.
const parts = readPage('recipes/back-to-the-sdk.md');
const filesOf = (start: string) => parts.find(({ heading }) => heading.startsWith(start))!.files;
let app: GuideApp;

beforeEach(() => (app = new GuideApp(tutorialSettings())));
afterEach(() => app.remove());

/** Runs a command in the folder of the app. */
async function toolwright(...words: string[]) {
  const { status, printed } = await runIn(app.folder, ...words);
  return { status, output: printed };
}

/** Step 1: what clients see, before anything changes. */
async function writeDown(): Promise<void> {
  const before = await app.start();
  app.write('tools.json', (await toolwright('list', '--url', before.url, '--json')).output);
  expect(await toolwright('lock', '--url', before.url)).toMatchObject({ status: 0 });
  expect(await before.stop()).toBe(0);
}

/** Arguments of each kind that is more than JSON. */
const ofEachKind = {
  number: '5',
  due: '2026-01-02T03:04:05.000Z',
  owner: 'ann@example.com',
  tags: ['a'],
  pages: { first: 1 },
  link: 'https://example.com/page',
  scan: 'iVBORw==',
  box: { row: 7 },
};

/** What `npm install ajv-formats` does: another package of this workspace has it. */
function installFormats(): void {
  const formats = join(__dirname, '../../../packages/json/node_modules/ajv-formats');
  mkdirSync(join(app.folder, 'node_modules'));
  symlinkSync(formats, join(app.folder, 'node_modules/ajv-formats'));
}

test('the steps lead to a server of the SDK in which clients see no change', async () => {
  for (const { file, text } of parts[0]!.files) app.write(`src/${file}`, text);
  app.build();
  await writeDown();
  const before = await app.start();
  const found = (await callTool(before.url, ['find_notes', { word: 'Friday' }])).body.result;
  const filed = (await callTool(before.url, ['file_note', ofEachKind])).body.result;
  expect(filed.structuredContent).toMatchObject({ next: 6, day: 2, tags: ['a'], bytes: 4, label: 'A7' });
  expect(await before.stop()).toBe(0);

  for (const { file, text } of [...filesOf('2.'), ...filesOf('3.')]) app.write(`src/${file}`, text);
  installFormats();
  expect(app.run('tsc')).toMatchObject({ status: 0 });
  const now = await app.start();
  const call = (...words: string[]) => toolwright('call', '--url', now.url, 'find_notes', ...words);
  try {
    expect(await toolwright('diff', '--url', now.url)).toMatchObject({
      status: 0,
      output: expect.stringContaining('No changes.'),
    });
    const ok = await call('--word', 'Friday');
    expect({ status: ok.status, result: JSON.parse(ok.output) }).toEqual({
      status: 0,
      result: found.structuredContent,
    });
    expect(await call('--word', 'Sunday')).toMatchObject({
      status: 1,
      output: expect.stringContaining('No note has the word Sunday.'),
    });
    expect((await call('--word', 'x')).status).toBe(1);
    const file = async (wrong: object = {}) => {
      const all = JSON.stringify({ ...ofEachKind, ...wrong });
      return (await toolwright('call', '--url', now.url, '--json', '--input', all, 'file_note')).output;
    };
    expect(JSON.parse(await file()).structuredContent).toEqual(filed.structuredContent);
    // What Toolwright had refused, Ajv refuses.
    for (const wrong of [
      { owner: 'nope' },
      { due: 'yesterday' },
      { number: 'x' },
      { link: 'x' },
      { box: {} },
    ])
      expect(JSON.parse(await file(wrong))).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('Invalid arguments') }],
      });
  } finally {
    await now.stop();
  }
});

test('an app of npm create goes the same way, and at the end no file names Toolwright', async () => {
  const at = (...names: string[]) => join(app.folder, ...names);
  const change = (file: string, edit: (text: string) => string) =>
    app.write(file, edit(readFileSync(at(file), 'utf8')));
  // Outside of this repository, so that it gets all files.
  const parent = temporaryFolder();
  const made = join(parent, 'notes');
  spawnSync(
    process.execPath,
    [join(programs.toolwright, '../../../create-toolwright/bin/create-toolwright.js'), made, '--files-only'],
    { encoding: 'utf8' },
  );
  cpSync(made, app.folder, { recursive: true });
  app.build();
  await writeDown();

  // Step 2.
  change('src/note-tools.ts', (text) =>
    text.replace(/^.*@toolwright\/.*\n|^ *@Mcp.*\n/gm, '').replace(/\binteger\b/g, 'number'),
  );
  // Step 3, with the methods of this app, which throw nothing for the model.
  const main = filesOf('3.')[0]!.text;
  const methods = `find_notes: ({ query, limit }) => notes.findNotes(query, limit),
  add_note: (args) => notes.addNote(args),`;
  app.write(
    'src/main.ts',
    main
      .replace(
        /^import \{ Box, ForTheModel.*$/m,
        "import { NoteStore } from './note-store.js';\nimport { NoteTools } from './note-tools.js';",
      )
      .replace('new NoteTools()', 'new NoteTools(await NoteStore.open())')
      .replace(/find_notes: [^]*?\n\};/, `${methods}\n};`)
      .replace(/.*ForTheModel.*\n/, ''),
  );
  // Step 6.
  rmSync(at('src/create-server.ts'));
  app.write(
    'src/note-tools.test.ts',
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NoteStore } from './note-store.js';
import { NoteTools } from './note-tools.js';

test('a note that was added is found', async () => {
  const notes = new NoteTools(await NoteStore.open());
  await notes.addNote({ text: 'Buy milk.' });
  assert.deepEqual(await notes.findNotes('milk'), { notes: [{ id: 1, text: 'Buy milk.' }] });
});
`,
  );
  change('package.json', (text) => {
    const { dependencies, devDependencies, scripts, ...rest } = JSON.parse(text) as Record<string, object>;
    const others = (all: object = {}) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('@toolwright/')));
    const { dev: _dev, ...kept } = scripts as Record<string, string>;
    const files = ['dist', '!dist/**/*.test.*', 'tools.json'];
    return JSON.stringify({
      ...rest,
      files,
      scripts: { ...kept, build: 'tsc' },
      dependencies: others(dependencies),
      devDependencies: others(devDependencies),
    });
  });
  change('Dockerfile', (text) =>
    text
      .replace('mcp.*.json', 'tools.json')
      .replace(/^HEALTHCHECK.*\n|^# A worker[^]*?(?=^ENTRYPOINT)/gm, ''),
  );
  change('.github/workflows/ci.yml', (text) => text.replace(/^.*toolwright.*\n/m, ''));
  change('README.md', (text) => text.replace(/^.*toolwright.*\n/gim, ''));
  for (const gone of ['.mcp.json', 'AGENTS.md', '.claude', 'dist']) rmSync(at(gone), { recursive: true });

  installFormats();
  expect(app.run('tsc')).toMatchObject({ status: 0, output: '' });
  const now = await app.start();
  try {
    expect((await toolwright('diff', '--url', now.url)).output).toContain('No changes.');
    const call = (...words: string[]) => toolwright('call', '--url', now.url, ...words);
    expect(JSON.parse((await call('add_note', '--text', 'Buy milk.')).output)).toEqual({
      id: 1,
      text: 'Buy milk.',
    });
    expect(JSON.parse((await call('find_notes', '--query', 'milk')).output)).toEqual({
      notes: [{ id: 1, text: 'Buy milk.' }],
    });
    expect((await call('find_notes', '--query', 'm')).status).toBe(1);
    expect((await call('add_note', '--text', '')).status).toBe(1);
  } finally {
    await now.stop();
  }
  for (const file of ['mcp.manifest.json', 'mcp.lock.json']) rmSync(at(file));
  rmSync(at('node_modules'), { recursive: true });
  const files = readdirSync(app.folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const naming = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => /toolwright/i.test(readFileSync(file, 'utf8')));
  expect(naming.map((file) => relative(app.folder, file))).toEqual([]);
  expect(app.test('note-tools')).toMatchObject({ status: 0 });
});
