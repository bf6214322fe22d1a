import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildManifest, inspectProject } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

const tool = (type: string) => `
  import { McpTool } from '@toolwright/core';
  import type { Value } from './value.js';
  export class A { @McpTool() run(value: Value, other: ${type}): void {} }`;

let project: TemporaryProject;
const types = async () =>
  (await inspectProject({ project: project.project })).map(({ input }) =>
    Object.values(input.properties ?? {}),
  );

beforeEach(() => {
  project = new TemporaryProject({
    'src/a.ts': tool('string'),
    'src/value.ts': 'export type Value = number;',
  });
});

afterEach(() => project.remove());

function cacheFile(): string {
  const folder = join(project.root, 'node_modules/.cache/toolwright');
  return join(folder, readdirSync(folder)[0]!);
}

test('an unchanged project is answered from disk, even if its files were touched', async () => {
  const first = await types();
  const written = statSync(cacheFile()).mtimeMs;
  utimesSync(join(project.root, 'src/a.ts'), new Date(), new Date());
  expect(await types()).toEqual(first);
  expect(statSync(cacheFile()).mtimeMs).toBe(written);
});

test('another content of the same size and time is seen', async () => {
  await types();
  const file = join(project.root, 'src/a.ts');
  const { atime, mtime } = statSync(file);
  project.write('src/a.ts', tool('number'));
  utimesSync(file, atime, mtime);
  expect(await types()).toEqual([[{ type: 'number' }, { type: 'number' }]]);
});

test.each<[string, () => void, unknown]>([
  [
    'an edited file',
    () => project.write('src/a.ts', tool('boolean')),
    [[{ type: 'number' }, { type: 'boolean' }]],
  ],
  [
    'an edited import',
    () => project.write('src/value.ts', 'export type Value = null;'),
    [[{ type: 'null' }, { type: 'string' }]],
  ],
  [
    'a new file',
    () => project.write('src/b.ts', tool('null').replace('class A', 'class B')),
    [
      [{ type: 'number' }, { type: 'string' }],
      [{ type: 'number' }, { type: 'null' }],
    ],
  ],
  ['a file that is gone', () => project.delete('src/a.ts'), []],
  [
    'a cache that is broken',
    () => writeFileSync(cacheFile(), '{'),
    [[{ type: 'number' }, { type: 'string' }]],
  ],
])('the cache notices %s', async (_case, change, expected) => {
  await types();
  change();
  expect(await types()).toEqual(expected);
});

test('with another tsconfig the project is compiled again', async () => {
  await types();
  project.write('tsconfig.json', JSON.stringify({ compilerOptions: { types: [] }, files: ['src/value.ts'] }));
  expect(await types()).toEqual([]);
});

describe('after an edit', () => {
  const alone = `
    import { McpTool } from '@toolwright/core';
    export class Alone {
      /** Stands alone. */
      @McpTool() alone(at: Date): void {} }`;

  const build = (cache: boolean) => buildManifest({ project: project.project, cache });

  beforeEach(async () => {
    project.write('src/alone.ts', alone);
    project.write('src/between.ts', `export type { Value as Passed } from './value.js';`);
    project.write(
      'src/far.ts',
      tool('string')
        .replace('class A', 'class Far')
        .replace("type { Value } from './value.js'", "type { Passed as Value } from './between.js'"),
    );
    await build(true);
  });

  test.each<[string, () => void]>([
    ['of a file', () => project.write('src/a.ts', tool('boolean'))],
    [
      'of a type that others import through a file between',
      () => project.write('src/value.ts', 'export type Value = { at: Date };'),
    ],
    [
      'that imports another file',
      () =>
        project.write(
          'src/alone.ts',
          alone.replace('export', `import type { Value } from './value.js'; export`).replace('Date', 'Value'),
        ),
    ],
    [
      'that declares something for all',
      () =>
        project.write(
          'src/value.ts',
          'declare global { type Everywhere = 1 } export type Value = Everywhere;',
        ),
    ],
    ['that does not parse', () => project.write('src/a.ts', 'export class {')],
    [
      'of two files',
      () => [
        project.write('src/a.ts', tool('1')),
        project.write('src/alone.ts', alone.replace('Date', 'null')),
      ],
    ],
  ])('the build has the same result as a build without cache: an edit %s', async (_edit, change) => {
    change();
    expect(await build(true)).toEqual(await build(false));
    // The next build, which uses the result of this one, is right as well.
    project.write('src/far.ts', `export const nothing = 1;`);
    expect(await build(true)).toEqual(await build(false));
  });

  test('global declarations affect every file', async () => {
    project.write('src/global.d.ts', 'type Everywhere = 1;');
    project.write('src/a.ts', tool('Everywhere'));
    await build(true);
    project.write('src/global.d.ts', 'type Everywhere = 2;');
    expect(await build(true)).toEqual(await build(false));
    project.write('src/a.ts', tool('Everywhere | null'));
    expect(await build(true)).toEqual(await build(false));
  });

  test('files that the edit does not affect are not compiled again', async () => {
    writeFileSync(cacheFile(), readFileSync(cacheFile(), 'utf8').replace('Stands alone.', 'Was kept.'));
    const description = async () =>
      (await build(true)).manifest.entries.find(({ method }) => method === 'alone')?.description;
    project.write('src/value.ts', 'export type Value = null;');
    expect(await description()).toBe('Was kept.');
    project.write('src/alone.ts', alone.replace('Date', 'string'));
    expect(await description()).toBe('Stands alone.');
  });
});

test('a warm build loads no TypeScript', async () => {
  const script = `
    require(${JSON.stringify(join(__dirname, '../dist/index.js'))})
      .buildManifest({ project: ${JSON.stringify(project.project)} })
      .then(() => console.log(Object.keys(require.cache).some((file) => file.endsWith('typescript.js') && file.includes('node_modules'))));`;
  const run = () => execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim();
  expect(run()).toBe('true');
  expect(run()).toBe('false');
});
