import { readdirSync, symlinkSync } from 'node:fs';
import { ProjectFolder } from './support/project-folder.js';
import { notesPackage, PublishProject } from './support/publish.js';

let project: PublishProject;

beforeEach(() => (project = new PublishProject()));
afterEach(() => project.remove());

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

test('server.json is written from package.json, and package.json gets mcpName', async () => {
  const { code, stdout } = await project.publish('registry', '--yes');
  expect(code).toBe(0);
  expect(stdout).toContain('+++ server.json');
  expect(stdout).toContain('+  "mcpName": "io.github.ann/notes",');
  expect(project.json('server.json')).toEqual({
    $schema: SCHEMA,
    name: 'io.github.ann/notes',
    description: 'Finds and keeps notes',
    version: '1.2.3',
    websiteUrl: 'https://notes.example',
    repository: { url: 'https://github.com/ann/notes', source: 'github' },
    packages: [
      {
        registryType: 'npm',
        identifier: '@ann/notes',
        version: '1.2.3',
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
      },
    ],
  });
  expect(Object.keys(project.json('package.json')).slice(0, 3)).toEqual(['name', 'version', 'mcpName']);
});

test('the second time nothing changes, and --check agrees', async () => {
  await project.publish('registry', '--yes');
  for (const flag of ['--check', '--yes', '--dry-run'])
    expect(await project.publish('registry', flag)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('All files are as they should be.'),
    });
});

test('a new version moves everywhere, and what people wrote stays', async () => {
  await project.publish('registry', '--yes');
  const written = {
    title: 'Notes of Ann',
    ...project.json('server.json'),
    description: 'Keeps notes for me',
    icons: [{ src: 'https://notes.example/icon.png' }],
    packages: [
      ...(project.json('server.json')['packages'] as object[]),
      { registryType: 'oci', identifier: 'ghcr.io/ann/notes:1.2.3', transport: { type: 'stdio' } },
    ],
  };
  project.write('server.json', JSON.stringify(written, null, '\t'));
  project.describe({ ...project.json('package.json'), version: '1.3.0', description: 'Something else' });
  const { code, stdout } = await project.publish('registry', '--check');
  expect([code, stdout]).toEqual([1, expect.stringContaining('+    "version": "1.3.0"')]);
  expect(project.json('server.json')).toEqual(written);
  expect(await project.publish('registry', '--yes')).toMatchObject({ code: 0 });
  expect(project.read('server.json')).toBe(
    JSON.stringify(written, null, '\t').replaceAll('"1.2.3"', '"1.3.0"').replace(':1.2.3"', ':1.3.0"'),
  );
});

test('options describe the server', async () => {
  const words = ['--name', 'example.notes/keeper', '--title', 'Notes', '--description', 'Keeps notes'];
  const inputs = ['--env', 'API_KEY', '--env', 'PAGE_SIZE=20', '--argument', '--stdio', '--argument', 'mine'];
  const remote = ['--remote', 'https://notes.example/mcp'];
  for (const _time of [1, 2])
    expect(await project.publish('registry', '--yes', ...words, ...inputs, ...remote)).toMatchObject({
      code: 0,
    });
  expect(project.json('package.json')['mcpName']).toBe('example.notes/keeper');
  expect(project.json('server.json')).toMatchObject({
    name: 'example.notes/keeper',
    title: 'Notes',
    description: 'Keeps notes',
    packages: [
      {
        environmentVariables: [
          { name: 'API_KEY', isRequired: true, isSecret: true },
          { name: 'PAGE_SIZE', default: '20' },
        ],
        packageArguments: [
          { type: 'named', name: '--stdio' },
          { type: 'positional', value: 'mine' },
        ],
      },
    ],
    remotes: [{ type: 'streamable-http', url: 'https://notes.example/mcp' }],
  });
});

test('a package that serves HTTP says where it listens', async () => {
  project.describe({ ...notesPackage, dependencies: { '@toolwright/http': '0.1.0' } });
  expect(await project.publish('registry', '--yes')).toMatchObject({ code: 0 });
  expect(project.json('server.json')['packages']).toMatchObject([
    {
      transport: { type: 'streamable-http', url: 'http://127.0.0.1:{PORT}/mcp' },
      environmentVariables: [{ name: 'PORT', default: '3000' }],
    },
  ]);
});

test('a private package is listed by its endpoint only', async () => {
  project.describe({ ...notesPackage, private: true, bin: undefined });
  const { code, stderr } = await project.publish(
    'registry',
    '--yes',
    '--remote',
    'https://notes.example/mcp',
  );
  expect([code, stderr]).toEqual([0, expect.stringContaining('package.json is private')]);
  expect(project.json('server.json')).not.toHaveProperty('packages');
  expect(project.json('package.json')).not.toHaveProperty('mcpName');
});

test('problems have their source, and errors fail the command', async () => {
  project.describe({ ...notesPackage, description: 'a'.repeat(101), bin: undefined });
  const { code, stdout } = await project.publish('registry', '--yes');
  expect(code).toBe(1);
  expect(stdout).toContain(`1 to 100 characters. (registry: ${SCHEMA})`);
  expect(stdout).toContain('has no bin');
  expect(await project.publish('registry', '--check')).toMatchObject({ code: 1 });
  const lint = { rules: { 'directory-server-json': 'off' } };
  project.describe({ ...project.json('package.json'), toolwright: { lint } });
  expect(await project.publish('registry', '--check')).toMatchObject({ code: 0, stdout: '' });
});

test('nothing is written with --check, with --dry-run, without an answer, or after a no', async () => {
  expect(await project.publish('registry', '--check')).toMatchObject({ code: 1 });
  expect(await project.publish('registry', '--dry-run')).toMatchObject({ code: 0 });
  expect(await project.publish('registry')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Pass --yes'),
  });
  expect(await project.publishAnd('n', 'registry')).toMatchObject({ code: 1 });
  expect(readdirSync(project.folder)).toEqual(['package.json']);
  expect(await project.publishAnd('y', 'registry')).toMatchObject({ code: 0 });
  expect(readdirSync(project.folder).sort()).toEqual(['package.json', 'server.json']);
});

test('nothing is written through a link out of the project', async () => {
  const elsewhere = new ProjectFolder();
  elsewhere.write('server.json', '{}');
  symlinkSync(elsewhere.path('server.json'), project.path('server.json'));
  expect(await project.publish('registry', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('outside of'),
  });
  expect(elsewhere.read('server.json')).toBe('{}');
  elsewhere.remove();
});

test.each([
  [['--env', 'API_KEY=abc-canary']],
  [['--env', 'NOTES=sk-abc-canary']],
  [['--argument', '--token=abc-canary']],
  [['--argument', 'sk-abc-canary']],
])('a secret is refused, and not repeated: %j', async (words) => {
  const { code, stdout, stderr } = await project.publish('registry', '--yes', ...words);
  expect([code, stderr]).toEqual([2, expect.stringContaining('looks like a secret')]);
  expect(stdout + stderr).not.toContain('abc-canary');
  expect(readdirSync(project.folder)).toEqual(['package.json']);
});

test.each<[string, object | string, string[], string]>([
  ['no repository', { ...notesPackage, repository: undefined }, [], 'Pass --name'],
  ['no version', { ...notesPackage, version: undefined }, [], 'needs a name and a version'],
  ['a list', '[]', [], 'is no JSON object'],
  ['a wrong variable', notesPackage, ['--env', '1=2'], 'Write --env as'],
])('%s is not understood', async (_what, description, words, message) => {
  project.write('package.json', typeof description === 'string' ? description : JSON.stringify(description));
  expect(await project.publish('registry', '--yes', ...words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
  expect(project.has('server.json')).toBe(false);
});
