import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildResult, buildManifest, createWatchCompiler } from '@toolwright/schema-compiler';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { checkAgain, findBootDiagnostics } from '../src/build/boot-diagnostics.js';
import { KeptViews } from '../src/build/kept-views.js';
import { buildProjectViews } from '../src/build/project-views.js';

let root: string;
let project: string;

beforeEach(() => {
  root = temporaryFolder();
  project = write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'nodenext',
        experimentalDecorators: true,
        types: [],
        lib: ['ES2022'],
      },
      include: ['src'],
    }),
  );
  write('package.json', JSON.stringify({ name: 'warm' }));
  mkdirSync(join(root, 'node_modules'));
});

function write(name: string, text: string): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const place = () => ({ project, out: join(root, 'mcp.manifest.json') });

/** Always the same numbers below a limit, so that a failure comes again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Sources whose operations share types, clash, and have problems that only a boot would find. */
function someSource(random: (below: number) => number, index: number): string {
  const pick = (...choices: string[]) => choices[random(choices.length)]!;
  const name = pick(`find_${index}`, `find_${index}`, 'find', 'find notes');
  return `
    import { McpTool, McpResource, RateLimit, integer } from '@toolwright/core';
    import type { Shared } from './shared.js';
    export class Tools${index} {
      /** ${pick('Finds notes.', 'Finds\u200B notes.', 'Finds all notes.')} */
      @McpTool({ name: '${name}' })
      @RateLimit({ points: ${pick('10', '10', '0', 'Infinity')}, per: '1m' })
      first(words: ${pick('string', 'number', 'Shared')}, limit = ${random(90)}): Shared[] { throw [words, limit]; }
      @McpTool({ name: '${pick(`other_${index}`, name)}' })
      other(/** @pattern ${pick('^a+$', '^(\\\\w+-?)+$')} */ word: string): void { void word; }
      @McpResource({ uri: '${pick('notes://all', 'no uri')}' }) all(): string { return ''; }
    }`;
}

const shared = (random: (below: number) => number) =>
  `export interface Shared { id: string; at: ${['Date', 'string', 'number'][random(3)]!} }`;

async function result(built: BuildResult, kept?: { check: ReturnType<typeof checkAgain>; views: KeptViews }) {
  const problems = [...(await findBootDiagnostics(built, kept?.check))];
  const views = await (kept ? kept.views.build(built) : buildProjectViews(built, place()));
  return { manifest: views.manifest, diagnostics: built.diagnostics, problems };
}

test('after edits at random, a warm build has the manifest and the problems of a cold one', async () => {
  const random = numbers(44);
  write('src/shared.ts', shared(random));
  for (const index of [0, 1, 2]) write(`src/tools${index}.ts`, someSource(random, index));
  const compiler = await createWatchCompiler({ project });
  const kept = { check: checkAgain(), views: new KeptViews(place()) };
  await result(compiler.compile(), kept);
  let found = 0;
  for (let edit = 0; edit < 5; edit++) {
    const index = random(4);
    const changed =
      index === 3
        ? write('src/shared.ts', shared(random))
        : write(`src/tools${index}.ts`, someSource(random, index));
    const warm = await result(compiler.compile([changed]), kept);
    expect(warm).toEqual(await result(await buildManifest({ project, cache: false })));
    found += warm.problems.flatMap(([, problems]) => problems).length;
  }
  expect(found).toBeGreaterThan(0);
});

test('what a package adds to the manifest follows the edits of a project without views', async () => {
  const views = new KeptViews(place());
  const manifest = { format: 1, classes: {}, schemas: {}, entries: [] } as unknown as BuildResult['manifest'];
  for (const words of [1, 2]) {
    const built = await views.build({ manifest: { ...manifest, extensions: { words } }, declared: [] });
    expect(built.manifest.extensions).toEqual({ words });
  }
  expect(existsSync(join(root, 'mcp.views.json'))).toBe(false);
});
