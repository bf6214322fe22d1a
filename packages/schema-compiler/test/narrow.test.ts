import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ts } from 'typescript-json-schema';
import { sampleOf } from '../../../.ci/test/support/proof.js';
import { buildManifest } from '../src/index.js';
import { openPartialProgram, readAmbientFiles } from '../src/program/open-partial-program.js';
import { openProject } from '../src/program/open-project.js';
import { TemporaryProject } from './temporary-project.js';

const tool = (member: string, before = '') => `
  import { McpTool } from '@toolwright/core';
  ${before}
  export class A { @McpTool() ${member} }`;

const firstSources = {
  'src/a.ts': tool('run(): void {}'),
  'src/between.ts': 'export type Between = string;',
  'src/kept.ts': `export type { AuditRotation as Kept } from '@toolwright/core/ports';`,
};

let project: TemporaryProject;

function create() {
  project = new TemporaryProject(firstSources, { types: ['node'], lib: ['ES2019'] });
  install('@types/node', dirname(require.resolve('@types/node/package.json')));
  install('@toolwright/core', join(__dirname, '../../core'));
}

const remove = () => project.remove();

function install(name: string, from: string): void {
  const to = join(project.root, 'node_modules', name);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to, 'dir');
}

const build = (cache: boolean) => buildManifest({ project: project.project, cache });

/** What an edit adds: the source, and the file between it and what it names. */
const edits: [what: string, text: string, between?: string][] = [
  ['a global of Node', tool('run(value: NodeJS.Platform): void {}')],
  ['a class of Node', tool('run(value: Buffer): void {}')],
  ['a module of Node', tool('run(value: CpuInfo): void {}', `import type { CpuInfo } from 'node:os';`)],
  ['a whole module of Node', tool('run(): os.CpuInfo[] { throw 1; }', `import * as os from 'os';`)],
  ['a type import', tool(`run(value: import('node:os').CpuInfo): void {}`)],
  ['a result that is not declared', tool(`run() { return process.memoryUsage(); }`)],
  [
    'a constant that is not declared',
    tool(`run(value: typeof times): void {}`, `const times = performance.eventLoopUtilization();`),
  ],
  [
    'a module of Node through a file between',
    tool('run(value: Between): void {}', `import type { Between } from './between.js';`),
    `export type { CpuInfo as Between } from 'node:os';`,
  ],
  [
    'a class in a body',
    `export function make(): void { ${tool('run(value: NodeJS.Platform): void {}')
      .replace(/import.*\n/, '')
      .replace('export', '')} }\nimport { McpTool } from '@toolwright/core';`,
  ],
  [
    'a question',
    tool(
      `async run(ctx: ToolContext): Promise<void> { await ctx.elicit<{ on: NodeJS.Platform }>('on', { message: '?' }); }`,
      `import type { ToolContext } from '@toolwright/core';`,
    ),
  ],
  [
    'part of the standard library that Node names',
    tool('run(): ReturnType<typeof last> { throw 1; }', 'const last = () => Promise.allSettled([1]);'),
  ],
  [
    'a type of core',
    tool('run(): ToolResult { throw 1; }', `import { type ToolResult } from '@toolwright/core';`),
  ],
  ['all of core', tool('run(): core.ToolResult { throw 1; }', `import * as core from '@toolwright/core';`)],
  [
    'a type of core through a file between',
    tool('run(value: Between): void {}', `import type { Between } from './between.js';`),
    `export type { integer as Between } from '@toolwright/core';`,
  ],
  [
    'a type of core through a file that stays as it is',
    tool('run(value: Kept): void {}', `import type { Kept } from './kept.js';`),
  ],
  [
    'all of core through a file between',
    tool('run(value: integer): void {}', `import type { integer } from './between.js';`),
    `export * from '@toolwright/core';`,
  ],
  [
    'a type of core that has one of Node',
    tool(
      'run(options: AuditFileOptions): void {}',
      `import type { AuditFileOptions } from '@toolwright/core/ports';`,
    ),
  ],
];
/** `pnpm proof` tries all. */
const chosen = new Set([
  'a global of Node',
  'a module of Node through a file between',
  'a question',
  'a type of core',
  'all of core through a file between',
  'a type of core that has one of Node',
]);

describe('a build after an edit has the same result as a first build if the edit adds', () => {
  let stored: { file: string; text: string };

  // The first build is the same for all edits. Each edit starts from its sources and from what it stored.
  beforeAll(async () => {
    create();
    await build(true);
    const cache = join(project.root, 'node_modules/.cache/toolwright');
    const [name] = readdirSync(cache);
    const file = join(cache, name!);
    stored = { file, text: readFileSync(file, 'utf8') };
  });

  beforeEach(() => {
    for (const [name, text] of Object.entries(firstSources)) project.write(name, text);
    writeFileSync(stored.file, stored.text);
  });

  afterAll(remove);

  test.each(sampleOf(edits, ([what]) => chosen.has(what)))(
    '%s',
    async (_what, text, between = 'export type Between = number;') => {
      project.write('src/between.ts', between);
      project.write('src/a.ts', text);
      expect(await build(true)).toEqual(await build(false));
    },
  );
});

describe('a build after an edit reads', () => {
  beforeEach(create);
  afterEach(remove);

  const read = (text: string): string[] => {
    const file = project.write('src/a.ts', text);
    const whole = openProject(project.project);
    const around = readAmbientFiles(whole, []);
    return openPartialProgram(project.project, [file], around)
      .program.getSourceFiles()
      .map(({ fileName }) => fileName);
  };
  const ofNode = (name: string) => name.includes('/@types/node/');

  test('no types of Node if signatures mention none', () => {
    const text = tool(
      `run(file: string): void { console.log(Buffer.from(file), readFileSync(file)); }`,
      `import { readFileSync } from 'node:fs';`,
    );
    expect(read(text).filter(ofNode)).toEqual([]);
  });

  test('the types of Node if a signature mentions one', () => {
    expect(read(tool('run(value: NodeJS.Platform): void {}')).filter(ofNode)).not.toEqual([]);
  });

  test('only the mentioned exports of core', () => {
    const names = read(tool('run(): void {}'));
    expect(names).toContainEqual(expect.stringMatching(/core\/dist\/decorators\/mcp-tool\.d\.ts$/));
    expect(names).not.toContainEqual(expect.stringMatching(/core\/dist\/server\.d\.ts$/));
  });
});

test('an edit of a service does not read the file that starts the server, nor all other services', async () => {
  create();
  project.write(
    'src/start.ts',
    `import { A } from './a.js'; import { broken } from './other.js'; void [A, broken];`,
  );
  project.write('src/other.ts', `export const broken = 1;`);
  await build(true);
  project.write('src/a.ts', tool('run(value: string): void {}'));
  const read = jest.spyOn(ts.sys, 'readFile');
  const { manifest } = await build(true);
  const files = read.mock.calls.map(([name]) => basename(name));
  read.mockRestore();
  expect(files).toContain('a.ts');
  expect(files).not.toContain('other.ts');
  expect(manifest).toEqual((await build(false)).manifest);
  remove();
});
