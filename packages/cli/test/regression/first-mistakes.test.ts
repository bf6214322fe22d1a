import { DevProcess } from '../support/dev-process.js';
import { runIn } from '../support/recording-terminal.js';
import { compilerOptions } from '../support/project-folder.js';
import { SmallProject } from '../support/small-project.js';

const service = (name: string, needs = '') => `
@McpService()
export class ${name} {
  constructor(${needs}) {}
  /** Say hello. Returns it. */
  @McpTool({ annotations: { readOnlyHint: true } })
  ${name.toLowerCase()}(text: string): string { return text; }
}
`;
const imports = "import { createMcpServer, McpService, McpTool } from '@toolwright/core';\n";
const serve = "export const server = createMcpServer({ name: 'first', version: '1', services: [One] });\n";

let project: SmallProject;
afterEach(() => project.leave());

function make(files: Record<string, string>, options: object = {}) {
  project = new SmallProject({
    'package.json': { name: 'first', type: 'module', scripts: { start: 'node dist/main.js' } },
    'tsconfig.json': { compilerOptions: { ...compilerOptions, ...options }, include: ['src'] },
    ...files,
  });
}

test('dev without a tsconfig says so and ends', () => {
  make({ 'src/main.ts': imports });
  const { status, stdout, stderr } = project.toolwright(
    'dev',
    'src/main.ts',
    '--no-console',
    '--project',
    'none.json',
  );
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: There is no none\.json\. [^\n]*--project[^\n]*\n$/);
});

test('dev without an outDir says so and ends', () => {
  make({ 'src/main.ts': `${imports}${service('One')}${serve}` }, { outDir: undefined });
  const { status, stderr } = project.toolwright('dev', '--no-console', 'src/main.ts');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: \S+tsconfig\.json: toolwright dev runs compiled files\. Set "outDir"/m);
});

test('dev says that nothing serves the server of an app that ends', async () => {
  make({ 'src/main.ts': `${imports}${service('One')}${serve}` });
  const dev = new DevProcess(project, '--no-console', 'src/main.ts');
  try {
    await dev.says(
      /dist\/main\.js has ended: it made the server "first", and nothing serves it\. Write await serveHttp\(server\), or await serveStdio\(server\)\./,
    );
    project.write('src/main.ts', 'export {};');
    await dev.says(/dist\/main\.js has ended, and made no server\. Name the file that starts the app/);
    project.write('src/one.ts', 'export const one = 1;');
    project.write('src/main.ts', "export {};\nimport { one } from './one';\nvoid one;");
    await dev.says(/src\/main\.ts:2:21: error TS2835/);
  } finally {
    await dev.stop('SIGKILL');
  }
});

test.each([
  ['one', 'src/one.ts', './one.js'],
  ['many', 'src/many/index.ts', './many/index.js'],
])('an import of ./%s that only a bundler finds is told at its place', (name, file, whole) => {
  make(
    {
      'src/main.ts': `// The first line.\nimport { one } from './${name}';\nvoid one;\n`,
      [file]: 'export const one = 1;',
    },
    { module: 'esnext', moduleResolution: 'bundler', sourceMap: true },
  );
  expect(project.compile().stdout).toBe('');
  const { status, stderr } = project.toolwright('start', 'dist/main.js');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^src\/main\.ts:2:21: Node\.js imports files by their whole names\. /m);
  expect(stderr).toContain(`Write '${whole}' in place of './${name}', in TypeScript too.`);
});

test('a misspelt annotation is one line that names the key, from the compiler and from the build', async () => {
  const wrong = service('One').replace('readOnlyHint', 'destructive');
  make({ 'src/main.ts': `${imports}${wrong}${serve}` });
  const compiled = project.compile();
  expect(compiled.stdout).toMatch(
    /^src\/main\.ts:\d+:\d+ - error TS2353: [^\n]*'destructive' does not exist[^\n]*\n|^src\/main\.ts\(\d+,\d+\): error TS2353: [^\n]*'destructive' does not exist[^\n]*\n$/,
  );
  const built = await runIn(project.folder, 'build');
  expect(built.stderr).toMatch(/^src\/main\.ts:\d+:\d+: TW_OPTION_INVALID: [^\n]*"annotations\.destructive"/);
});

test.each([
  [
    'whose decorators come from elsewhere',
    { 'src/main.ts': `const McpTool: any = 0, McpService: any = 0;${service('One')}` },
  ],
  [
    'whose file is not included',
    { 'src/main.ts': 'export {};', 'other/one.ts': `${imports}${service('One')}` },
  ],
])('the build of a project %s says what to check', async (_, files) => {
  make(files);
  const { status, stdout, stderr } = await runIn(project.folder, 'build');
  expect([status, stdout]).toEqual([0, 'mcp.manifest.json: 0 methods of 0 classes\n']);
  expect(stderr).toBe(
    'note: No decorated method was found. Is the decorator, such as @McpTool, imported from @toolwright/core? Does tsconfig.json include its file?\n',
  );
});

test('the build names a decorated class that nobody serves, once, and no other', async () => {
  make({
    'src/main.ts': `${imports}${service('One')}${serve}`,
    'src/two.ts': `${imports}// Two is not listed.${service('Two')}`,
    'src/three.ts': `${imports}${service('Three')}`,
    'src/all.ts': "export * from './three.js';",
    'src/two.test.ts': "import { Two } from './two.js';\nvoid Two;",
  });
  const { status, stderr } = await runIn(project.folder, 'build');
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^src\/two\.ts:3:1: warning: TW_SERVICE_UNSERVED: No server lists Two\. Add it to the services of createMcpServer: services: \[Two\]\.\n$/,
  );
});

test('the build shows a circle over two modules', async () => {
  make({
    'src/main.ts': `${imports}import { One } from './one.js';\n${serve}`,
    'src/one.ts': `${imports}import { Two } from './two.js';${service('One', 'readonly two: Two')}`,
    'src/two.ts': `import { One } from './one.js';\nexport class Two { constructor(readonly one: One) {} }\n`,
  });
  const { stderr } = await runIn(project.folder, 'build');
  expect(stderr).toMatch(
    /^src\/one\.ts:\d+:1: warning: TW_DEPENDENCY_CIRCULAR: One needs Two needs One: a circle over 2 modules \(/m,
  );
});

test('the build shows a circle of stores that a service needs, which ends when its ES modules load', async () => {
  const store = (name: string, other: string) =>
    `import { Injectable } from '@toolwright/core';\nimport { ${other}Store } from './${other.toLowerCase()}.js';\n` +
    `@Injectable()\nexport class ${name}Store { constructor(readonly other: ${other}Store) {} }\n`;
  make({
    'src/main.ts': `${imports}import { FirstStore } from './first.js';${service('One', 'readonly first: FirstStore')}${serve}`,
    'src/first.ts': store('First', 'Second'),
    'src/second.ts': store('Second', 'First'),
  });
  expect((await runIn(project.folder, 'build')).stderr).toMatch(
    /^src\/first\.ts:3:1: warning: TW_DEPENDENCY_CIRCULAR: FirstStore needs SecondStore needs FirstStore: a circle over 2 modules \(SecondStore: src\/second\.ts:3, FirstStore: src\/first\.ts:3\)\. ES modules in a circle end with "ReferenceError: Cannot access 'FirstStore' before initialization".*Move the common part into a third class\.$/m,
  );
});

/** A class with a decorated property of a class in another module. */
const holder = (
  name: string,
  other: string,
  { from = other.toLowerCase(), how = 'import', type = other, mark = '@mark ' } = {},
) =>
  `import { mark } from './mark.js';\n${how} { ${other} } from './${from}.js';\n` +
  `export class ${name} { ${mark}other?: ${type}; text?: string }\nvoid mark;\n`;

test('the build shows circles of decorated properties over ES modules, and none that can be loaded', async () => {
  const files: Record<string, string> = {
    'src/mark.ts': 'export const mark: PropertyDecorator = () => {};\n',
    'src/a.ts': holder('A', 'B'),
    'src/b.ts': holder('B', 'A'),
    'src/c.ts': holder('C', 'D'),
    'src/d.ts': holder('D', 'E'),
    'src/e.ts': holder('E', 'C'),
    'src/f.ts': holder('F', 'G', { from: 'barrel' }),
    'src/g.ts': holder('G', 'F', { from: 'barrel' }),
    'src/barrel.ts': "export * from './f.js';\nexport * from './g.js';\n",
    'src/h.ts': holder('H', 'I'),
    'src/i.ts': "import { H } from './h.js';\nexport class I extends H { more?: string }\n",
    // What follows is no circle when the modules are loaded.
    'src/k.ts': holder('K', 'L', { how: 'import type' }),
    'src/l.ts': holder('L', 'K'),
    'src/m.ts': holder('M', 'N', { type: 'N[]' }),
    'src/n.ts': holder('N', 'M'),
    'src/o.ts': holder('O', 'P', { mark: '' }),
    'src/p.ts': holder('P', 'O'),
  };
  const names = ['A', 'C', 'F', 'H', 'K', 'M', 'O'];
  const needed = names.map((name) => `import { ${name} } from './${name.toLowerCase()}.js';\n`).join('');
  const methods = names.map(
    (name) =>
      `  /** Take it. */\n  @McpTool({ annotations: { readOnlyHint: true } }) take${name}(given: ${name}): void { void given; }\n`,
  );
  files['src/main.ts'] =
    `${imports}${needed}@McpService()\nexport class One {\n${methods.join('')}}\n${serve}`;
  make(files);
  const circles = async () =>
    [
      ...(await runIn(project.folder, 'build')).stderr.matchAll(
        /^(\S+): warning: TW_DEPENDENCY_CIRCULAR: (.*?): a circle over (\d)/gm,
      ),
    ]
      .map(([, place, way, modules]) => [place, way, modules])
      .sort();
  expect(await circles()).toEqual([
    ['src/a.ts:3:1', 'A needs B needs A', '2'],
    ['src/c.ts:3:1', 'C needs D needs E needs C', '3'],
    ['src/f.ts:3:1', 'F needs G needs F', '2'],
    ['src/h.ts:3:1', 'H needs I needs H', '2'],
  ]);
  // The code of CommonJS asks whether a class is there.
  project.write('package.json', JSON.stringify({ name: 'first', type: 'commonjs' }));
  expect(await circles()).toEqual([]);
});

/** Two modules whose classes name each other, each with the text of one class, or more. */
const pair = (one: string, other: string, [first, second]: [string, string]) => ({
  [`src/${one.toLowerCase()}.ts`]: `import { mark, of } from './mark.js';\nimport { ${other} } from './${other.toLowerCase()}.js';\n${first}\nvoid [mark, of];\n`,
  [`src/${other.toLowerCase()}.ts`]: `import { mark, of } from './mark.js';\nimport { ${one} } from './${one.toLowerCase()}.js';\n${second}\nvoid [mark, of];\n`,
});

test('the build shows circles of what runs when a class is declared, and none of what runs later', async () => {
  make({
    'src/mark.ts': 'export const mark: any = () => {};\nexport const of = (_: unknown): any => mark;\n',
    'src/main.ts': `${imports}${service('One')}${serve}`,
    ...pair('A', 'B', [
      'export class A { @mark go(b: B): void { void b; } }',
      'export class B { @mark a!: A; }',
    ]),
    ...pair('C', 'D', [
      'export class C { static d = new D(); }',
      'export class D { static { void C.name; } }',
    ]),
    ...pair('E', 'F', [
      'export class E { @of(F) f!: unknown; }',
      'export class F { go(@mark e: E) { void e; } }',
    ]),
    ...pair('G', 'H', [
      '@of({ H }) export class G {}',
      '@mark export class H { constructor(readonly g: G) {} }',
    ]),
    // The classes are in no circle, but the modules are.
    ...pair('I', 'K', [
      'export class I {}\nexport class More extends K {}',
      'export class K {}\nclass Last { static i = I; }',
    ]),
    // What follows can be loaded.
    ...pair('L', 'M', [
      'export class L { static m = () => new M(); }',
      'export class M { static l = new L(); }',
    ]),
    ...pair('N', 'O', ['export class N { @of(() => O) o!: unknown; }', 'export class O { @mark n!: N; }']),
    ...pair('P', 'Q', [
      'export class P { go(q: Q): void { void q; } q = new Q(); }',
      'export class Q { @mark p!: P; }',
    ]),
    ...pair('R', 'S', [
      'export class R { @mark go(s: S | null): Promise<S> | void { void s; } }',
      'export class S { @mark r!: R; }',
    ]),
    ...pair('T', 'U', [
      'export class T { constructor(readonly u: U) {} }',
      'export class U { @mark t!: T; }',
    ]),
  });
  const { stderr } = await runIn(project.folder, 'build');
  const named = [...stderr.matchAll(/^(\S+): warning: TW_DEPENDENCY_CIRCULAR: (.*?): a circle over 2/gm)];
  expect(named.map(([, place, way]) => [place, way]).sort()).toEqual([
    ['src/a.ts:3:1', 'A needs B needs A'],
    ['src/c.ts:3:1', 'C needs D needs C'],
    ['src/e.ts:3:1', 'E needs F needs E'],
    ['src/g.ts:3:1', 'G needs H needs G'],
    ['src/i.ts:4:1', 'More needs K; Last needs I'],
  ]);
});

test.each([
  ['strict', /^note: "strict" is off/m],
  ['experimentalDecorators', /^note: "experimentalDecorators" is off/m],
])('the build says what is lost without %s', async (option, said) => {
  make({ 'src/main.ts': `${imports}${service('One')}${serve}` });
  expect((await runIn(project.folder, 'build')).stderr).toBe('');
  project.write(
    'base.json',
    project.read('tsconfig.json').replace(`"${option}": true`, `"${option}": false`),
  );
  project.write('tsconfig.json', '{ "extends": "./base.json", /* a comment */ "include": ["src"] }');
  expect((await runIn(project.folder, 'build')).stderr).toMatch(said);
});
