import { execFileSync } from 'node:child_process';
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspectProject } from '../src/index.js';
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

test('an unchanged project is answered from disk, also when files were only touched', async () => {
  const first = await types();
  const written = statSync(cacheFile()).mtimeMs;
  utimesSync(join(project.root, 'src/a.ts'), new Date(), new Date());
  expect(await types()).toEqual(first);
  expect(statSync(cacheFile()).mtimeMs).toBe(written);
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
])('%s is seen', async (_case, change, expected) => {
  await types();
  change();
  expect(await types()).toEqual(expected);
});

test('another tsconfig compiles again', async () => {
  await types();
  project.write('tsconfig.json', JSON.stringify({ compilerOptions: { types: [] }, files: ['src/value.ts'] }));
  expect(await types()).toEqual([]);
});

test('a warm build loads no TypeScript', async () => {
  const script = `
    require(${JSON.stringify(join(__dirname, '../dist/index.js'))})
      .buildManifest({ project: ${JSON.stringify(project.project)} })
      .then(() => console.log(Object.keys(require.cache).some((file) => file.includes('typescript'))));`;
  const run = () => execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim();
  expect(run()).toBe('true');
  expect(run()).toBe('false');
});
