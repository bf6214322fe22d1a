import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const packages = join(__dirname, '../../..');
const pretend = `
  const { versions } = process;
  Object.defineProperty(process, 'versions', { value: { ...versions, node: process.env.PRETEND } });`;
const preload = `data:text/javascript,${encodeURIComponent(pretend)}`;

const run = (node: string, bin: string) =>
  spawnSync(process.execPath, ['--import', preload, join(packages, bin), '--help'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], PRETEND: node },
  });

test.each([
  ['toolwright', 'cli/bin/toolwright.js'],
  ['toolwright', 'toolwright/bin/toolwright.js'],
  ['toolwright-operate', 'operate/bin/toolwright-operate.js'],
  ['create-toolwright', 'create-toolwright/bin/create-toolwright.js'],
])('%s says in one line that Node.js is too old: %s', (name, bin) => {
  for (const node of ['18.20.4', '20.18.3'])
    expect(run(node, bin)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `error: ${name} needs Node.js 20.19 or later. This is Node.js ${node}.\n`,
    });
  expect(run('20.19.0', bin)).toMatchObject({ status: 0, stderr: '' });
});

test('register says in one line that Node.js is too old, and does not start the app', () => {
  const register = join(packages, 'cli/bin/register.js');
  const start = (node: string) =>
    spawnSync(
      process.execPath,
      ['--import', preload, '--import', register, '-e', "console.log('the app runs')"],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], PRETEND: node } },
    );
  expect(start('20.18.3')).toMatchObject({
    status: 1,
    stdout: '',
    stderr: 'error: @toolwright/cli/register needs Node.js 20.19 or later. This is Node.js 20.18.3.\n',
  });
  expect(start('20.19.0')).toMatchObject({ status: 0, stdout: 'the app runs\n', stderr: '' });
});
