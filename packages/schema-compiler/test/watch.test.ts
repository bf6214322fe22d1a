import { createWatchCompiler, buildManifest, type WatchCompiler } from '../src/index.js';
import { TemporaryProject } from './temporary-project.js';

const tool = (name: string, type: string) => `
  import { McpTool } from '@toolwright/core';
  import type { Shared } from './shared.js';
  export class ${name} { @McpTool() ${name.toLowerCase()}(own: ${type}, shared: Shared): void {} }`;

let project: TemporaryProject;
let compiler: WatchCompiler;

beforeEach(async () => {
  project = new TemporaryProject({
    'src/a.ts': tool('A', 'string'),
    'src/b.ts': tool('B', 'string'),
    'src/shared.ts': `export type { Shared } from './deeper.js';`,
    'src/deeper.ts': 'export type Shared = number;',
  });
  compiler = await createWatchCompiler({ project: project.project });
  compiler.compile();
});

afterEach(() => project.remove());

/** After any edit, the result must be the same as that of a new compiler. */
async function expectLikeCold(changed: string[]): Promise<void> {
  const { manifest } = await buildManifest({ project: project.project, cache: false });
  expect(compiler.compile(changed).manifest).toEqual(manifest);
}

test('an edited file', async () => {
  await expectLikeCold([project.write('src/a.ts', tool('A', 'boolean'))]);
});

test('a type that others import through another file', async () => {
  await expectLikeCold([project.write('src/deeper.ts', 'export type Shared = { at: Date };')]);
});

test('a new file, and a removed file', async () => {
  await expectLikeCold([project.write('src/c.ts', tool('C', 'null'))]);
  await expectLikeCold([project.delete('src/b.ts')]);
});

test('global declarations affect everything', async () => {
  await expectLikeCold([project.write('src/global.d.ts', 'type Everywhere = 1;')]);
  await expectLikeCold([project.write('src/a.ts', tool('A', 'Everywhere'))]);
  await expectLikeCold([project.write('src/global.d.ts', 'type Everywhere = 2;')]);
});

test('after an edit that does not parse, the other files stay as they were', () => {
  const { manifest } = compiler.compile([project.write('src/a.ts', 'export class {')]);
  expect(manifest.entries.map(({ key }) => key)).toEqual(['src/b.ts#B.b']);
});
