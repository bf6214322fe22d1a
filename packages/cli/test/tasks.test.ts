import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../../.ci/test/support/free-port.js';
import { programs } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

const queued = `
const { createMcpServer } = require('@toolwright/core');
const { systemClock } = require('@toolwright/core/ports');
const { MemoryTaskQueue } = require('@toolwright/testing');
class Queue extends MemoryTaskQueue {
  work(worker) { console.log('takes ' + worker.concurrency + ' in ' + process.env.NODE_ENV); return super.work(worker); }
}
const create = () => createMcpServer({
  name: 'reports', version: '1.0.0', services: [],
  stores: { tasks: new Queue(systemClock) }, secrets: ['a secret of at least 32 characters'],
});`;

/** What a package of the app brings. */
const taskCommands = `
exports.taskCommands = [
  { words: ['list'], description: 'list tasks', options: [{ flag: '--json', description: 'print JSON' }],
    run: async (id, values, console) => (console.out(JSON.stringify({ id, values }) + '\\n'), 0) },
  { words: ['retry'], description: 'retry', argument: { name: 'id', description: 'the task' }, options: [{ flag: '--by <name>', description: 'who' }],
    run: async (id, values, console) => (console.err(JSON.stringify({ id, values }) + '\\n'), 1) },
];`;

let project: SmallProject;
beforeAll(() => {
  project = new SmallProject({
    'package.json': { name: 'reports', private: true },
    'dist/create-server.js': `${queued} exports.createServer = create;`,
    'dist/server.mjs': `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);
      ${queued} export const server = create();`,
    'dist/worker.js': `${queued} create().then(async (server) => {
      await require('@toolwright/core/operate').serveTasks(server);
      // It comes only if something else keeps the process alive. A second after its start, the server itself does not.
      setTimeout(() => console.log('waits'), 1_500).unref();
    });`,
    'dist/nothing.js': 'exports.answer = 42;',
  });
});
afterAll(() => project.remove());

describe('toolwright worker', () => {
  it.each([
    [[], 'takes 10 in production'],
    [['dist/server.mjs', '--concurrency', '3'], 'takes 3 in production'],
  ])('with %j works on tasks until it is told to stop', async (args, expected) => {
    const child = spawn(process.execPath, [programs.toolwright, 'worker', ...args], {
      cwd: project.folder,
      env: { ...process.env, NODE_ENV: undefined },
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    while (!said.includes('working on tasks')) await once(child.stdout, 'data');
    expect(said).toContain(expected);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('with --health-port answers probes, until it is told to stop', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [programs.toolwright, 'worker', '--health-port', `${port}`], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    while (!said.includes('working on tasks')) await once(child.stdout, 'data');
    for (const [path, status] of Object.entries({ '/healthz': 200, '/readyz': 200, '/mcp': 404 }))
      expect([path, (await fetch(`http://127.0.0.1:${port}${path}`)).status]).toEqual([path, status]);
    const second = project.toolwright('worker', '--health-port', `${port}`);
    expect([second.status, second.stderr]).toEqual([1, expect.stringContaining(`Port ${port}`)]);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('has a counterpart in code, which also waits for work until it is told to stop', async () => {
    const child = spawn(process.execPath, ['dist/worker.js'], {
      cwd: project.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const closed = once(child, 'close');
    while (!said.includes('waits') && child.exitCode === null)
      await Promise.race([once(child.stdout, 'data'), closed]);
    expect([said.includes('waits'), child.exitCode]).toEqual([true, null]);
    child.kill('SIGTERM');
    expect(await closed).toEqual([0, null]);
  });

  it.each([
    [['dist/nothing.js'], 'nothing.js exports no server. Export `createServer`'],
    [['dist/missing.js'], 'There is no dist/missing.js'],
    [['--concurrency', 'many'], '--concurrency must be a positive whole number, not many.'],
    [['--health-port', 'http'], '--health-port must be a positive whole number, not http.'],
    [['--health-port', '70000'], '--health-port must be at most 65535, not 70000.'],
  ])('with %j says what is wrong', (args, message) => {
    const { status, stderr } = project.toolwright('worker', ...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('toolwright tasks', () => {
  it('says what to install where the package is not installed', () => {
    const { status, stderr } = project.toolwright('tasks', 'list');
    expect([status, stderr]).toEqual([1, expect.stringContaining('npm install @toolwright/tasks')]);
  });

  it('says what the commands are, even where the package is not installed', () => {
    for (const words of [['tasks'], ['tasks', '--help'], ['tasks', 'help']]) {
      const { status, stdout, stderr } = project.toolwright(...words);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: toolwright tasks <list\|show\|cancel\|retry\|schedules\|actions> /);
      expect(stdout).toContain('npm install @toolwright/tasks');
    }
  });

  it('runs the commands of the package that the app has', () => {
    project.write(
      'node_modules/@toolwright/tasks/package.json',
      '{ "name": "@toolwright/tasks", "main": "index.js" }',
    );
    project.write('node_modules/@toolwright/tasks/index.js', taskCommands);
    const list = project.toolwright('tasks', 'list', '--json');
    expect([list.status, JSON.parse(list.stdout)]).toEqual([0, { id: '', values: { json: true } }]);
    const retry = project.toolwright('tasks', 'retry', 'abc', '--by', 'olga');
    expect([retry.status, JSON.parse(retry.stderr)]).toEqual([1, { id: 'abc', values: { by: 'olga' } }]);
    expect(project.toolwright('tasks').stdout).toMatch(/list .*\n.*retry/);
    expect(project.toolwright('tasks', 'retry').status).toBe(2);
  });
});
