import { spawnSync } from 'node:child_process';
import { noteTools } from './support/note-tools.js';
import { compilerOptions, programs } from './support/project-folder.js';
import { SmallProject } from './support/small-project.js';

/** A project whose classes do something when they are loaded. */
const loading = (code: string) =>
  new SmallProject({
    'package.json': { name: 'notes' },
    'tsconfig.json': { compilerOptions, include: ['src'] },
    'src/note-tools.ts': `${noteTools}\n${code}\n`,
  });

const commands: [string, ...string[]][] = [
  ['explain', 'delete_note', '--json'],
  ['lint', '--format', 'json'],
  ['lock'],
  ['diff', '--json'],
  ['client'],
];

describe('classes that print, listen and hold something open', () => {
  const project = loading(`
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
console.log('loading { notes');
process.stdout.write('and more\\n');
spawnSync('echo', ['from a program'], { stdio: 'inherit' });
setInterval(() => undefined, 1_000);
createServer().listen(0);
`);
  beforeAll(() => project.build());
  afterAll(() => project.remove());

  test.each(commands)('leave the output of %s to it', (...words: string[]) => {
    const { status, stdout, stderr } = project.toolwright(...words);
    expect({ status, printed: /loading|and more|from a program/.test(stdout) }).toEqual({
      status: 0,
      printed: false,
    });
    if (words.includes('json') || words.includes('--json')) JSON.parse(stdout);
    expect(stderr).toContain('loading { notes\nand more\nfrom a program\n');
  });
});

describe('a reader that leaves early', () => {
  const project = loading('');
  beforeAll(() => project.build());
  afterAll(() => project.remove());

  test.each([
    ['lint --strict', 1],
    ['lint --budget 1 --format json', 0],
    ['completion bash', 0],
  ])('does not change the exit code of %s', (words, status) => {
    const line = `"${process.execPath}" "${programs.toolwright}" ${words} | true; exit "\${PIPESTATUS[0]}"`;
    const ended = spawnSync('bash', ['-c', line], { cwd: project.folder, encoding: 'utf8' });
    expect({ ...ended }).toMatchObject({ status, stderr: expect.not.stringContaining('EPIPE') });
  });
});

describe('classes that end the process', () => {
  const project = loading('process.exit(0);');
  beforeAll(() => project.build());
  afterAll(() => project.remove());

  const why =
    'The code of the project cannot be loaded: its code ended the process with 0, as process.exit(0) does';

  test.each([['lock'], ['client']])('are the error of %s', (command) => {
    expect(project.toolwright(command)).toMatchObject({ status: 1, stdout: '', stderr: `error: ${why}\n` });
  });

  test('leave explain and lint what the compiler knows', () => {
    const explained = project.toolwright('explain', 'delete_note');
    expect({ ...explained }).toMatchObject({ status: 0, stdout: expect.stringContaining(why) });
    expect(project.toolwright('lint')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`Annotations were not checked. ${why}\n`),
    });
  });
});
