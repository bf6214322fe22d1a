import { rmSync } from 'node:fs';
import { DockerfileParser, type Dockerfile } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { createApp, dockerfile, type ContainerOptions } from 'create-toolwright';
import { notesPackage, PublishProject } from './support/publish.js';

const overHttp = { ...notesPackage, dependencies: { '@toolwright/http': '0.1.0' } };

let project: PublishProject;

beforeEach(async () => {
  project = new PublishProject();
  project.write('package-lock.json', '{}');
  await project.publish('registry', '--yes', '--env', 'API_KEY', '--argument', '--loudly');
});
afterEach(() => project.remove());

const packages = () => project.json('server.json')['packages'] as object[];

test.each([
  'Ann/Notes',
  'ann/notes:1.0',
  'ann notes',
  '--base',
  '',
  'ghcr.io/ann/notes@sha256:abc',
  'https://ghcr.io/ann',
  'ann/\nRUN x',
  `a/${'b'.repeat(300)}`,
])('--image %j is refused, and nothing is written', async (image) => {
  const before = project.read('server.json');
  const { code, stderr } = await project.publish('image', '--yes', `--image=${image}`);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --image .* is wrong\. .*\n$/)]);
  expect([project.has('Dockerfile'), project.read('server.json')]).toEqual([false, before]);
});

test.each(['ann/notes', 'docker.io/ann/my-notes', 'localhost:5000/notes', 'ghcr.io/a_b/c.d/e'])(
  '--image %j is taken',
  async (image) =>
    expect((await project.publish('image', '--yes', '--image', image)).stderr).not.toContain('is wrong'),
);

describe.each<ContainerOptions>([
  { transport: 'http' },
  { transport: 'stdio', hasData: true },
  { transport: 'http', manager: 'pnpm', registryName: 'io.github.ann/notes', entry: 'build/index.js' },
  { transport: 'stdio', base: `node:24-slim@sha256:${'a'.repeat(64)}` },
])('the Dockerfile for %j', (options) => {
  const text = dockerfile(options);
  const parsed: Dockerfile = DockerfileParser.parse(text);
  const last = (keyword: string) =>
    parsed
      .getInstructions()
      .filter((each) => each.getInstruction() === keyword)
      .at(-1)
      ?.getArgumentsContent();

  test('has no problem of the linter', () => {
    expect(validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
  });

  test('has two stages of one image, and takes only files into the second', () => {
    expect(parsed.getFROMs().map((from) => [from.getImage(), from.getBuildStage()])).toEqual([
      ['${NODE_IMAGE}', 'build'],
      ['${NODE_IMAGE}', null],
    ]);
    expect(last('ARG')).toBe(`NODE_IMAGE=${options.base ?? 'node:22-slim'}`);
    const second = text.slice(text.lastIndexOf('FROM'));
    expect(second.match(/^COPY/gm)).toHaveLength(3);
    expect(second.match(/^COPY --from=build/gm)).toHaveLength(3);
    expect(second).not.toMatch(/npm|COPY \. /);
  });

  test('runs without rights, and says whether it is healthy', () => {
    expect(last('USER')).toBe('node');
    expect(text.indexOf('USER node')).toBeGreaterThan(text.lastIndexOf('RUN '));
    expect(last('HEALTHCHECK')).toMatch(options.transport === 'http' ? /\/healthz/ : /^NONE$/);
    // A signal reaches the server only if no shell is between.
    expect(JSON.parse(last('ENTRYPOINT')!)).toEqual([
      'node',
      '--enable-source-maps',
      options.entry ?? 'dist/main.js',
    ]);
  });
});

test('the linter finds what is wrong', () => {
  expect(validate('FROM node:22-slim\nUSR node\n')).not.toEqual([]);
});

test('a Dockerfile is written, and the image is listed with what the package needs', async () => {
  expect(await project.publish('image', '--yes')).toMatchObject({ code: 0 });
  expect(project.read('Dockerfile')).toContain(
    'LABEL io.modelcontextprotocol.server.name="io.github.ann/notes"',
  );
  expect(project.read('.dockerignore').split('\n')).toEqual(
    expect.arrayContaining(['node_modules', '.env*', '.git']),
  );
  expect(packages().at(-1)).toEqual({
    registryType: 'oci',
    identifier: 'ghcr.io/ann/notes:1.2.3',
    runtimeHint: 'docker',
    transport: { type: 'stdio' },
    packageArguments: [{ type: 'named', name: '--loudly' }],
    environmentVariables: [{ name: 'API_KEY', isRequired: true, isSecret: true }],
  });
  for (const part of ['image', 'registry'])
    expect(await project.publish(part, '--check')).toMatchObject({ code: 0 });
});

test('a server over HTTP is reached on this machine only', async () => {
  project.describe({ ...overHttp, mcpName: 'io.github.ann/notes' });
  expect(await project.publish('image', '--yes', '--image', 'docker.io/ann/notes')).toMatchObject({
    code: 0,
  });
  expect(project.read('Dockerfile')).toContain('EXPOSE 3000');
  expect(packages().at(-1)).toMatchObject({
    identifier: 'docker.io/ann/notes:1.2.3',
    transport: { type: 'streamable-http', url: 'http://127.0.0.1:3000/mcp' },
    runtimeArguments: [{ type: 'named', name: '--publish', value: '127.0.0.1:3000:3000' }],
  });
});

test('the Dockerfile of a new app gets the label, and keeps its base image', async () => {
  const app = project.path('app');
  createApp({ directory: app, words: {} });
  const pinned = `node:22-slim@sha256:${'b'.repeat(64)}`;
  project.edit('app/Dockerfile', 'ARG NODE_IMAGE=node:22-slim', `ARG NODE_IMAGE=${pinned}`);
  const named = ['--name', 'io.github.ann/app', '--remote', 'https://app.example/mcp'];
  expect(await project.publishIn(app, 'registry', '--yes', '--description', 'Notes', ...named)).toMatchObject(
    { code: 0 },
  );
  const { code, stdout } = await project.publishIn(app, 'image', '--yes', '--image', 'ghcr.io/ann/app');
  expect(code).toBe(0);
  expect(stdout).toContain('+LABEL io.modelcontextprotocol.server.name="io.github.ann/app"');
  expect(stdout).not.toContain('-RUN');
  expect(project.read('app/Dockerfile')).toContain(`ARG NODE_IMAGE=${pinned}`);
  expect(project.read('app/Dockerfile')).toContain('RUN mkdir .data');
  expect(await project.publishIn(app, 'image', '--yes', '--base', 'node:24-slim')).toMatchObject({ code: 0 });
  expect(project.read('app/Dockerfile')).toContain('ARG NODE_IMAGE=node:24-slim');
});

test('an image needs no entry of the registry', async () => {
  rmSync(project.path('server.json'));
  const { code, stderr } = await project.publish('image', '--yes');
  expect([code, stderr]).toEqual([0, '']);
  expect(project.read('Dockerfile')).not.toContain('LABEL');
  expect([project.has('server.json'), project.has('.dockerignore')]).toEqual([false, true]);
});

test('what somebody else wrote stays', async () => {
  project.write('Dockerfile', 'FROM scratch\n');
  project.write('.dockerignore', 'node_modules/\nsecret');
  expect(await project.publish('image', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--replace'),
  });
  expect([project.read('Dockerfile'), project.read('.dockerignore')]).toEqual([
    'FROM scratch\n',
    'node_modules/\nsecret',
  ]);
  expect(await project.publish('image', '--yes', '--replace')).toMatchObject({ code: 0 });
  expect(project.read('.dockerignore')).toMatch(/^node_modules\/\nsecret\ndist\n/);
});

test('a package of a workspace of pnpm is built at the root of the workspace, where its lockfile is', async () => {
  const inner = project.path('packages/notes');
  for (const file of ['package.json', 'server.json'])
    project.write(`packages/notes/${file}`, project.read(file));
  rmSync(project.path('package-lock.json'));
  project.write('pnpm-lock.yaml', "lockfileVersion: '9.0'");
  expect(await project.publishIn(inner, 'image', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no pnpm-workspace.yaml above it lists packages'),
  });
  expect(project.has('packages/notes/Dockerfile')).toBe(false);
  project.write('pnpm-workspace.yaml', 'packages: ["packages/*"]');
  expect(await project.publishIn(inner, 'image', '--yes')).toMatchObject({ code: 0 });
  const image = project.read('packages/notes/Dockerfile');
  expect(image).toContain(
    '# At the root of the workspace: docker build -f packages/notes/Dockerfile -t notes .',
  );
  expect(image).toContain('pnpm install --frozen-lockfile --filter "@ann/notes..."');
  expect(image).toContain('COPY --from=build /workspace/packages/notes/dist ./dist');
  expect(validate(image)).toEqual([]);
  expect(project.read('packages/notes/Dockerfile.dockerignore')).toContain('**/node_modules\n');
  expect(await project.publishIn(inner, 'image', '--check')).toMatchObject({ code: 0 });
});

test.each<[string, string[], () => void, string]>([
  ['a wrong base', ['--base', 'node; rm'], () => undefined, 'no name of an image'],
  [
    'an entry outside',
    [],
    () => project.describe({ ...notesPackage, main: '../main.js' }),
    'no compiled file',
  ],
  ['another package manager', [], () => project.write('yarn.lock', '# yarn lockfile v1'), 'npm and pnpm'],
  ['no name', [], () => project.describe({ ...notesPackage, repository: undefined }), 'Pass --image'],
])('%s is refused', async (_what, words, change, message) => {
  change();
  expect(await project.publish('image', '--yes', ...words)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
  expect(project.has('Dockerfile')).toBe(false);
});
