import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DecoratorUse,
  decoratorUses,
  head,
  madeUpPackage,
  madeUpUses,
} from './support/decorator-uses.js';
import { compilerOptions, repository } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

/** The decorators that a package exports: functions with the name of a class that are none. */
const scan = `
const files = process.argv.slice(1);
void (async () => {
  for (const file of files)
    for (const [name, value] of Object.entries(require(file)))
      if (typeof value === 'function' && /^[A-Z][a-z]/.test(name) && !/^class\\b/.test(Function.prototype.toString.call(value)))
        console.log(name);
})();`;

const packages = readdirSync(join(repository, 'packages'));

const named = Object.entries({ ...decoratorUses, MadeUp: madeUpUses }).flatMap(([decorator, uses]) =>
  uses.map((use, index) => ({ ...use, name: `find_${decorator.toLowerCase()}_${index}` })),
);

function classOf({ name, method, members = '', onClass = '@McpService()' }: DecoratorUse & { name: string }) {
  const holder = name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `${onClass}\nexport class ${holder} {\n  ${members}\n  ${method.replaceAll('NAME', name)}\n}\n`;
}

let project: SmallProject;

beforeAll(() => {
  project = new SmallProject({
    'package.json': { name: 'notes' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/quotas.ts': madeUpPackage,
    'src/uses.ts': `${head}\n${named.map(classOf).join('\n')}`,
  });
  project.install({
    zod: 'packages/core/node_modules/zod',
    ...Object.fromEntries(
      ['openapi', 'schedules', 'search', 'skills'].map((name) => [`@toolwright/${name}`, `packages/${name}`]),
    ),
  });
  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
});

afterAll(() => project.remove());

test('every decorator that a package exports is tried, with each of its options and their words', () => {
  // Private packages below core have no index, and what they export is core's.
  const files = packages
    .map((name) => join(repository, 'packages', name, 'dist/index.js'))
    .filter(existsSync);
  const exported = project
    .node('-e', scan, '--', ...files)
    .stdout.trim()
    .split('\n');
  expect(Object.keys(decoratorUses).sort()).toEqual([...new Set(exported)].sort());
  const reports = packages
    .map((name) => join(repository, 'packages', name, 'api.md'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  for (const [decorator, uses] of Object.entries(decoratorUses)) {
    const type = new RegExp(`^export (?:interface|type) ${decorator}Options\\b[^\\n]*(.*?)\\n}`, 'ms');
    // The line with the name may say which options of another type it leaves out.
    const [, options = ''] = reports.map((report) => type.exec(report)).find(Boolean) ?? [];
    const written = [head, ...uses.map(({ method, onClass = '' }) => method + onClass)].join('\n');
    const words = [...options.matchAll(/^ {4}(\w+)\??:|'([\w-]+)'/gm)].map(([, name, word]) => name ?? word!);
    const untried = words.filter((word) => !new RegExp(`\\b${word}\\b`).test(written));
    expect({ decorator, untried }).toEqual({ decorator, untried: [] });
  }
});

/** What only the app can have is said, and nothing else. */
function expectNeeds(stderr: string): void {
  const said = stderr.split('\n').filter((line) => line !== '');
  const wanted = named.flatMap(({ name, needs = [] }) => needs.map((text) => text.replace('NAME', name)));
  const missing = wanted.filter(
    (text) => !said.some((line) => line.includes(text) && line.includes('--app')),
  );
  expect({ missing, lines: said.length }).toEqual({ missing: [], lines: wanted.length });
}

test('lock and diff know every operation without the app, and say what only the app can show', () => {
  const lock = project.toolwright('lock');
  expect(lock).toMatchObject({ status: 0 });
  expectNeeds(lock.stderr);
  const { tools, prompts, resources, resourceTemplates } = JSON.parse(
    project.read('mcp.lock.json'),
  ) as Record<string, Record<string, { annotations?: object; scopes?: string[] }>>;
  const written = JSON.stringify([prompts, resources, resourceTemplates, Object.keys(tools!)]);
  for (const { name } of named) expect(written).toContain(name);
  const diff = project.toolwright('diff', '--fail-on', 'any');
  expect(diff).toMatchObject({ status: 0, stdout: 'No changes.\n' });
  expectNeeds(diff.stderr);
});

test('client writes every tool', () => {
  const tools = Object.keys((JSON.parse(project.read('mcp.lock.json')) as { tools: object }).tools);
  const client = project.toolwright('client');
  expect(client).toMatchObject({ status: 0, stdout: `client.ts: ToolClient with ${tools.length} tools\n` });
  expectNeeds(client.stderr);
});

test('lint checks every tool, hints included', () => {
  const { tools } = JSON.parse(project.read('mcp.lock.json')) as { tools: object };
  const lint = project.toolwright('lint');
  expect(lint).toMatchObject({ status: 0 });
  const lines = lint.stderr.trim().split('\n');
  expect(lines.pop()).toMatch(new RegExp(`^${Object.keys(tools).length} tools,`));
  expectNeeds(lines.join('\n'));
  // The only tool without annotations.
  const { name } = named.find(({ method }) => /@McpTool\(\)/.test(method))!;
  const problems = lint.stdout.split('\n').filter((line) => line.includes('annotations-missing'));
  expect(problems).toEqual([expect.stringContaining(name)]);
});

test('explain shows the step in its place', () => {
  const { name } = named.find(({ needs, method }) => needs && method.includes('@McpTool'))!;
  const explained = project.toolwright('explain', name);
  expect(explained).toMatchObject({ status: 0 });
  expect(explained.stdout).toMatch(/confirm +needs the option "approvals" of the app +<- method/);
});
