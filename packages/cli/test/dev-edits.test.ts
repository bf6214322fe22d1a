import { rmSync } from 'node:fs';
import { DevSession } from './support/dev-session.js';

let session: DevSession;
let running = false;

/** Whether the sources are those of the desk, and served. A test that fails leaves this false. */
let asFound = false;

// A dev takes seconds to start. So a test uses the dev of the test before if that test has put everything back.
beforeEach(async () => {
  if (!asFound) {
    await end();
    session = await DevSession.start();
    running = true;
  }
  asFound = false;
});

afterAll(end);

async function end() {
  if (running) await session.end();
  running = false;
}

/** Waits until the services are replaced by those that find this text. */
async function serves(text: string) {
  const found = async () => ((await session.find()) as { texts: string[] }).texts[0];
  // dev may report one edit twice. So the report that is read here may be about the edit before.
  while ((await found()) !== text) await session.dev.says(/replaced NoteTools/);
}

/** Puts the last edit back. dev then replaces the service again. */
async function putBack(file: string, after: string, before: string) {
  session.project.edit(file, after, before);
  await session.dev.says(/replaced NoteTools/);
  await serves('<Buy milk.>');
  asFound = true;
}

test('a running call ends on the version with which it began', async () => {
  const running = session.client.callText('take_time', { ms: 1500 });
  session.project.edit('src/note-tools.ts', 'return `process', 'return `new process');
  await session.dev.says(/replaced NoteTools/);
  expect(await session.client.callText('take_time', { ms: 0 })).toMatch(/^new process/);
  expect(await running).toMatch(/^process/);
  await putBack('src/note-tools.ts', 'return `new process', 'return `process');
});

test('a module that cannot be loaded leaves the old version in place', async () => {
  session.project.edit(
    'src/format.ts',
    'export',
    "if (Date.now() > 0) throw new Error('out of order');\nexport",
  );
  await session.dev.says(/Error: out of order[^]*\bsrc\/format\.ts:1:\d+/);
  expect(await session.find()).toEqual({ texts: ['<Buy milk.>'] });
  session.project.edit('src/format.ts', 'Date.now() > 0', 'Date.now() === 0');
  await session.dev.says(/replaced NoteTools/);
  expect(await session.find()).toEqual({ texts: ['<Buy milk.>'] });
  await putBack('src/format.ts', "if (Date.now() === 0) throw new Error('out of order');\n", '');
});

describe('the last good version continues', () => {
  test.each([
    [
      'a syntax error',
      'limit: integer = 10)',
      'limit: integer = )',
      /src\/note-tools\.ts:14:45: error TS1109: .*\n +14 \| .*limit: integer = \).*\n +\| {45}\^/,
    ],
    [
      'a type error',
      'texts.push(',
      'texts.pusch(',
      /src\/note-tools\.ts:26:38: error TS2551: .*\n.*\n +\| {38}\^\n1 error; the last good version continues/,
    ],
    [
      'a signature without a schema',
      'query: string',
      'query: () => void',
      /src\/note-tools\.ts:14:\d+: error TW_SCHEMA_FUNCTION: .*\n +14 \| .*query: \(\) => void/,
    ],
  ])('after %s, which is reported at its place', async (_case, before, after, shown) => {
    session.project.edit('src/note-tools.ts', before, after);
    await session.dev.says(shown);
    expect(await session.find()).toEqual({ texts: ['<Buy milk.>'] });
    session.project.edit('src/note-tools.ts', after, before);
    session.project.edit('src/format.ts', '<', '[');
    await serves('[Buy milk.>');
    await putBack('src/format.ts', '[', '<');
  });

  test('while a file is missing, until it is back', async () => {
    const text = session.project.read('src/format.ts');
    rmSync(session.project.path('src/format.ts'));
    await session.dev.says(/error TS2307: Cannot find module '\.\/format\.js'/);
    expect(await session.find()).toEqual({ texts: ['<Buy milk.>'] });
    session.project.write('src/format.ts', text);
    await session.dev.says(/no errors any more|replaced NoteTools/);
    session.project.edit('src/format.ts', '<', '[');
    await serves('[Buy milk.>');
    await putBack('src/format.ts', '[', '<');
  });

  test('while the tsconfig cannot be read', async () => {
    const text = session.project.read('tsconfig.json');
    session.project.write('tsconfig.json', text.slice(0, -1));
    await session.dev.says(/tsconfig\.json:1:\d+: error TS1005: '}' expected/);
    expect(await session.find()).toEqual({ texts: ['<Buy milk.>'] });
    session.project.write('tsconfig.json', text);
    await session.dev.says(/no errors any more/);
    session.project.edit('src/format.ts', '<', '[');
    await serves('[Buy milk.>');
    await putBack('src/format.ts', '[', '<');
  });

  test('while a config that the tsconfig extends cannot be read, wherever it is', async () => {
    const text = session.project.read('tsconfig.json');
    const base = '.config/base.json';
    session.project.write(base, '{');
    session.project.write('tsconfig.json', text.replace('{', `{ "extends": "./${base}", `));
    await session.dev.says(/\.config\/base\.json:1:2: error TS1005: '}' expected\. Correct the file/);
    rmSync(session.project.path(base));
    await session.dev.says(/\btsconfig\.json:1:3: error TS5083: [^\n]* Correct "extends"/);
    session.project.write(base, '{}');
    await session.dev.says(/no errors any more/);
    session.project.write('tsconfig.json', text);
    session.project.edit('src/format.ts', '<', '[');
    await serves('[Buy milk.>');
    await putBack('src/format.ts', '[', '<');
  });

  test('when the entry no longer starts', async () => {
    session.project.edit('src/notes.ts', '/**', "if (Date.now() > 0) throw new Error('no paper');\n/**");
    await session.dev.says(
      /Error: no paper\n +at [^\n]*\bsrc\/notes\.ts:1:\d+[^]*the last good version continues/,
    );
    expect(await session.find()).toEqual({ texts: ['<Buy milk.>'] });
    session.project.edit('src/format.ts', '<', '[');
    await session.dev.says(/the last good version continues/);
    session.project.edit('src/notes.ts', 'Date.now() > 0', 'Date.now() === 0');
    await session.dev.says(/restarted/);
    expect(await session.find()).toEqual({ texts: ['[Buy milk.>'] });
  });
});
