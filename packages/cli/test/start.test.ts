import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { DevProject } from './support/dev-project.js';
import { programs } from './support/project-folder.js';

let project: DevProject;

/** Prints how it was started, and ends with the given exit code. */
const probe = `
  process.exitCode = Number(process.argv[2] ?? 0);
  console.log(JSON.stringify({
    isMain: require.main === module, mode: process.env.NODE_ENV, args: process.argv.slice(2), file: __filename,
  }));`;

beforeAll(() => {
  project = new DevProject();
  project.build();
  project.write('dist/probe.js', probe);
});

afterAll(() => project.remove());

test('an app runs in production as if Node.js had been started with it, and its exit code is that of the command', () => {
  const { stdout, status } = project.toolwright('start', 'dist/probe.js', '--', '7', '--flag');
  expect(JSON.parse(stdout)).toEqual({
    isMain: true,
    mode: 'production',
    args: ['7', '--flag'],
    file: project.path('dist/probe.js'),
  });
  expect(status).toBe(7);
});

test('TypeScript is not loaded, and the app itself handles signals', async () => {
  project.write(
    'spy.cjs',
    `process.on('exit', () => {
       const loaded = Object.keys(require.cache).filter((path) => /typescript|schema-compiler/.test(path));
       console.error('LOADED ' + loaded.length);
     });`,
  );
  const child = spawn(process.execPath, ['--require', './spy.cjs', programs.toolwright, 'start'], {
    cwd: project.folder,
    env: { ...process.env, PORT: '0' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdout.setEncoding('utf8');
  const [line] = (await once(child.stdout, 'data')) as [string];
  expect(line).toMatch(/^desk listening on http/);
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toContain('LOADED 0');
});

test('an app does not start if its sources were edited after the build', () => {
  project.edit('src/note-tools.ts', 'Find notes.', 'Look for notes.');
  expect(project.toolwright('start')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringContaining('mcp.manifest.json is older than the sources. Build first'),
  });
  project.edit('src/note-tools.ts', 'Look for notes.', 'Find notes.');
  expect(project.toolwright('start', 'dist/probe.js').status).toBe(0);
});

test('the app is the file that the package starts with Node.js', () => {
  const text = project.read('package.json');
  const described = { ...JSON.parse(text), scripts: { start: 'node --enable-source-maps dist/probe.js' } };
  project.write('package.json', JSON.stringify(described));
  const { stdout } = project.toolwright('start');
  project.write('package.json', text);
  expect(JSON.parse(stdout)).toMatchObject({ file: project.path('dist/probe.js') });
});

test('a missing build and a source file are reported', () => {
  expect(project.toolwright('start', 'src/main.ts')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('src/main.ts is a source'),
  });
  rmSync(project.path('dist'), { recursive: true });
  expect(project.toolwright('start')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There is no dist/main.js, dist/index.js, dist/server.js. Build first'),
  });
});
