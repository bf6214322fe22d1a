import { readdirSync } from 'node:fs';
import { notesPackage, PublishProject } from './support/publish.js';

let project: PublishProject;

beforeEach(() => (project = new PublishProject()));
afterEach(() => project.remove());

test('registry lists a missing name, wrong options, and what the registry would refuse, and writes nothing', async () => {
  project.describe({ ...notesPackage, repository: undefined, description: undefined, bin: undefined });
  const { code, stderr } = await project.publish('registry', '--yes', '--env', 'A=1', '--env', '9=x');
  expect(code).toBe(2);
  expect(stderr.split('\n')).toEqual([
    'error: 4 things are missing or wrong:',
    '- Pass --name, such as com.example/notes: package.json names no repository on GitHub, so nobody knows your name space.',
    '- Write --env as NAME=value, or as NAME for a secret; not 9.',
    expect.stringContaining('description'),
    expect.stringContaining('bin'),
    '',
  ]);
  expect(readdirSync(project.folder)).toEqual(['package.json']);
});

test('bundle lists server.json, the transport, the author and the build', async () => {
  project.describe({ ...notesPackage, author: undefined, dependencies: {} });
  const { code, stderr } = await project.publish('bundle', '--yes');
  expect(code).toBe(2);
  for (const part of [
    'things are missing or wrong:\n- There is no server.json',
    '\n- A host starts a bundle over stdio',
    '\n- package.json needs an author',
    '\n- There is no dist/main.js',
  ])
    expect(stderr).toContain(part);
});

test('image lists a wrong name in server.json, a wrong base, a wrong image and a package manager that it does not know', async () => {
  project.write('yarn.lock', '# yarn lockfile v1');
  project.write('server.json', '{ "name": "notes" }');
  const { code, stderr } = await project.publish('image', '--yes', '--image', 'UP', '--base', 'a b');
  expect(code).toBe(2);
  for (const part of ['4 things', '- --image "UP"', '- The name in server.json', '- a b is no', 'uses yarn'])
    expect(stderr).toContain(part);
  expect(readdirSync(project.folder).sort()).toEqual(['package.json', 'server.json', 'yarn.lock']);
});

test('workflow lists a missing server.json and a package manager that it does not know', async () => {
  project.write('yarn.lock', '# yarn lockfile v1');
  const { code, stderr } = await project.publish('workflow', '--yes');
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/2 things .*\n- There is no server\.json.*\n- .*uses yarn/),
  ]);
});

test('one thing alone is one line', async () => {
  project.describe({ ...notesPackage, repository: undefined });
  const { code, stderr } = await project.publish('registry', '--yes');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: Pass --name.*\n$/)]);
});
