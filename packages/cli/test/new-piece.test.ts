import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../src/run.js';
import { RecordingTerminal, runIn } from './support/recording-terminal.js';
import { compilerOptions } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

/** A server with one service. Node.js runs its tests. */
const app = (services = '[FirstTools]', more: Record<string, string> = {}) =>
  new SmallProject({
    'package.json': { name: 'app', devDependencies: { '@toolwright/testing': '1' } },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/server/create-server.ts': `import { createMcpServer } from '@toolwright/core';
import { FirstTools } from '../first-tools.js';

export const createServer = () =>
  createMcpServer({
    name: 'app',
    version: '0.1.0',
    services: ${services},
  });
`,
    'src/first-tools.ts': `import { McpService, McpTool } from '@toolwright/core';

@McpService()
export class FirstTools {
  /** Get the first letter. Returns it. */
  @McpTool({ annotations: { readOnlyHint: true } })
  getFirst(): string {
    return 'a';
  }
}
`,
    ...more,
  });

let project: SmallProject;

afterEach(() => project.remove());

const server = () => project.read('src/server/create-server.ts');

test('a tool, a resource and a prompt are added, registered, built, tested and found', async () => {
  project = app();
  for (const [kind, name] of [
    ['tool', 'count_words'],
    ['resource', 'opening-hours'],
    ['prompt', 'planTrip'],
  ])
    expect(await runIn(project.folder, 'new', kind!, name!, '--yes')).toMatchObject({
      status: 0,
      stderr: '',
    });
  expect(server()).toContain(
    '    services: [FirstTools, CountWordsTool, OpeningHoursResource, PlanTripPrompt],\n',
  );
  expect(server()).toContain("import { CountWordsTool } from './count-words-tool.js';\n");
  expect(await runIn(project.folder, 'lint')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(
      'description-placeholder: count_words: its description still has "(Say here',
    ),
  });
  project.edit(
    'src/server/count-words-tool.ts',
    ' (Say here what your tool does, and when to use it.)',
    ' Use it for short ones.',
  );
  expect(project.compile()).toMatchObject({ status: 0, stdout: '' });
  expect(await runIn(project.folder, 'build')).toMatchObject({ status: 0, stderr: '' });
  expect(await runIn(project.folder, 'lint', '--strict')).toMatchObject({ status: 0, stdout: '' });
  const tests = ['count-words-tool', 'opening-hours-resource', 'plan-trip-prompt'];
  const { status, stdout } = project.node('--test', ...tests.map((name) => `dist/server/${name}.test.js`));
  expect({ status, passed: /^# pass (\d+)$/m.exec(stdout)?.[1] }).toEqual({ status: 0, passed: '4' });
  const list = `require('./dist/server/create-server.js').createServer().then((server) =>
    console.log(server.tools.list().map(({ name }) => name).join()))`;
  expect(project.node('-e', list).stdout).toBe('getFirst,count_words\n');
});

test('the person at the terminal sees the changes and decides', async () => {
  project = app();
  const asked: string[] = [];
  const decide = async (answer: string) => {
    const terminal = Object.assign(new RecordingTerminal(project.folder), {
      ask: (question: string) => Promise.resolve(asked.push(question) ? answer : ''),
    });
    return { code: await run(['new', 'tool', 'count_words'], terminal), ...terminal };
  };
  expect(await decide('')).toMatchObject({ code: 1, stderr: 'Nothing was written.\n' });
  expect(server()).not.toContain('CountWordsTool');
  const { code, stdout } = await decide('y');
  expect(code).toBe(0);
  expect(stdout).toContain('+++ src/server/count-words-tool.ts\n');
  expect(stdout).toContain('\n-    services: [FirstTools],\n+    services: [FirstTools, CountWordsTool],\n');
  expect(asked).toEqual(Array(2).fill('Write these 3 files? [y/N] '));
  expect(server()).toContain('CountWordsTool');
});

test('an existing file is never overwritten', async () => {
  project = app();
  project.write('src/server/count-words-tool.ts', 'mine');
  const again = await runIn(project.folder, 'new', 'tool', 'count_words', '--yes');
  expect(again).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('count-words-tool.ts already exists'),
  });
  expect(project.read('src/server/count-words-tool.ts')).toBe('mine');
  expect(server()).not.toContain('CountWordsTool');
});

test('a list of services that is created in another way is not changed, and the lines to add are printed', async () => {
  project = app('[FirstTools].filter(Boolean)');
  const { status, stderr } = await runIn(
    project.folder,
    'new',
    'tool',
    'count_words',
    '--yes',
    '--dir',
    'src',
  );
  expect(status).toBe(0);
  expect(stderr).toContain("import { CountWordsTool } from '../count-words-tool.js';");
  expect(project.read('src/count-words-tool.ts')).toContain('class CountWordsTool');
  expect(server()).not.toContain('CountWordsTool');
});

test('the test of a tool makes the app, as AGENTS.md asks, and has a call that succeeds and one that is refused', async () => {
  project = app();
  await runIn(project.folder, 'new', 'tool', 'count_words', '--yes', '--dir', 'src');
  const text = project.read('src/count-words-tool.test.ts');
  expect(text).toContain("import { createServer } from './server/create-server.js';\n");
  expect(text.match(/await createServer\(\)/g)).toHaveLength(2);
  expect(text).toContain('assert.equal(result.isError, true);');
  expect(text).not.toMatch(/createMcpServer|CountWordsTool/);
});

test('a class that nobody registered is tested alone', async () => {
  project = app('[FirstTools].filter(Boolean)');
  await runIn(project.folder, 'new', 'tool', 'count_words', '--yes', '--dir', 'src');
  expect(project.read('src/count-words-tool.test.ts')).toContain('services: [CountWordsTool]');
});

test('tests are written for the test runner of the project', async () => {
  project = app('[FirstTools]', { 'package.json': '{ "devDependencies": { "jest": "30" } }' });
  const { stderr } = await runIn(project.folder, 'new', 'tool', 'count_words', '--yes');
  expect(stderr).toContain('npm install --save-dev @toolwright/testing');
  const text = project.read('src/server/count-words-tool.test.ts');
  expect(text).toContain('expect(structuredContent).toEqual({ words: 2 });');
  expect(text).not.toMatch(/node:|assert/);
});

test('a package.json that is not JSON is named with its line, and nothing is written', async () => {
  project = app('[FirstTools]', { 'package.json': '{\n  "name": "app",\n  "devDependencies": {,}\n}\n' });
  expect(await runIn(project.folder, 'new', 'tool', 'count_words', '--yes')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /package\.json:3:23: Property assignment expected\. Correct the file: it is not JSON\.\n$/,
    ),
  });
  expect(existsSync(join(project.folder, 'src/server/count-words-tool.ts'))).toBe(false);
});

test.each(['9lives', 'send mail', '../up', ''])('%j is not a name', async (name) => {
  project = app();
  const { status, stderr } = await runIn(project.folder, 'new', 'tool', name, '--yes');
  expect(status).toBe(2);
  expect(stderr).toContain('is no name');
});

test.each(['constructor', 'Constructor', 'to_string', 'value-of', 'then'])(
  'a tool cannot be named %s, because every object has that already',
  async (name) => {
    project = app();
    const terminal = new RecordingTerminal(project.folder);
    expect(await run(['new', 'tool', name, '--yes'], terminal)).toBe(2);
    expect(terminal.stderr).toMatch(/^error: \S+ cannot be the name: .* Add a word, such as \w+_note\.\n$/);
  },
);
