import { spawnSync } from 'node:child_process';
import { ProjectFolder, programs } from './support/project-folder.js';

const bring = `exports.runDoctor = async (url, values, console) =>
  (console.out(JSON.stringify({ url, values }) + '\\n'), 1);`;

let project: ProjectFolder;
beforeEach(() => (project = new ProjectFolder()));
afterEach(() => project.remove());

/** In a process of its own: Jest would find the package of this repository. */
function toolwright(commandLine: string) {
  const args = [programs.toolwright, ...commandLine.split(' ')];
  // pnpm lets every process below it find the packages of this repository.
  const env = { ...process.env, NODE_PATH: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    env,
    cwd: project.folder,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

test('the installed package gets the address and the options, and its exit code counts', () => {
  const exported = { name: '@toolwright/identity', exports: { './commands': './commands.js' } };
  project.write('node_modules/@toolwright/identity/package.json', JSON.stringify(exported));
  project.write('node_modules/@toolwright/identity/commands.js', bring);
  const { code, stdout } = toolwright('doctor http://127.0.0.1:9/mcp --client-id app --no-sign-in --json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    url: 'http://127.0.0.1:9/mcp',
    values: { clientId: 'app', signIn: false, json: true },
  });
});

test('without the package it says what to install', () => {
  const { code, stderr } = toolwright('doctor http://127.0.0.1:9/mcp');
  expect(code).toBe(1);
  expect(stderr).toContain('npm install --save-dev @toolwright/identity');
});
