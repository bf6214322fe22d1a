import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { parse } from 'yaml';
import { notesPackage, PublishProject } from './support/publish.js';

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

interface Job {
  needs?: string[];
  environment?: string;
  permissions: Record<string, string>;
  defaults?: { run: { 'working-directory': string } };
  env?: Record<string, string>;
  steps: Step[];
}

interface Workflow {
  on: unknown;
  permissions: object;
  jobs: Record<string, Job>;
}

const FILE = '.github/workflows/publish-mcp.yml';
const image = { registryType: 'oci', identifier: 'ghcr.io/ann/notes:1.2.3', transport: { type: 'stdio' } };
const bundle = {
  registryType: 'mcpb',
  identifier: 'https://github.com/ann/notes/releases/download/v1.2.3/notes-1.2.3.mcpb',
  fileSha256: 'a'.repeat(64),
  transport: { type: 'stdio' },
};

let project: PublishProject;

beforeEach(async () => {
  project = new PublishProject();
  await project.publish('registry', '--yes');
});
afterEach(() => project.remove());

/** Writes the workflow for a server.json with these packages, too. */
async function written(more: object[] = [image, bundle], changes: object = {}): Promise<Workflow> {
  const serverJson = project.json('server.json');
  const packages = [...(serverJson['packages'] as object[]), ...more];
  project.write('server.json', JSON.stringify({ ...serverJson, packages, ...changes }));
  expect(await project.publish('workflow', '--yes')).toMatchObject({ code: 0 });
  return parse(project.read(FILE)) as Workflow;
}

const runsOf = ({ steps }: Job) => steps.flatMap(({ run }) => run ?? []);
const codeOfProject = /\b(npm (ci|test|run)|npx|pnpm)\b/;

test('it publishes what server.json lists, and the registry comes last', async () => {
  const { jobs, on } = await written();
  expect(on).toEqual({ push: { tags: ['v*'] } });
  expect(Object.keys(jobs)).toEqual(['build', 'npm', 'release', 'image', 'registry']);
  expect(jobs['registry']!.needs).toEqual(['npm', 'release', 'image']);
  expect(runsOf(jobs['npm']!)).toEqual([expect.stringContaining('--provenance')]);
  expect(runsOf(jobs['registry']!).at(-1)).toContain('./mcp-publisher publish');
});

test('without a bundle and an image there are no jobs for them', async () => {
  expect(Object.keys((await written([])).jobs)).toEqual(['build', 'npm', 'registry']);
});

test('every action is a commit, with its release beside it', async () => {
  const { jobs } = await written();
  const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.length).toBeGreaterThan(8);
  for (const name of used) expect(name).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  for (const line of project
    .read(FILE)
    .split('\n')
    .filter((each) => each.includes('uses:')))
    expect(line).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('each job has the rights that it needs, and no others', async () => {
  const { permissions, jobs } = await written();
  expect(permissions).toEqual({});
  expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))).toEqual({
    build: { contents: 'read' },
    npm: { 'id-token': 'write' },
    release: { contents: 'write' },
    image: { contents: 'read', packages: 'write' },
    registry: { 'id-token': 'write' },
  });
});

test('no job that may write runs code of the project or of its dependencies', async () => {
  const { jobs } = await written();
  const mayWrite = Object.values(jobs).filter(({ permissions }) =>
    Object.values(permissions).includes('write'),
  );
  expect(mayWrite).toHaveLength(4);
  for (const job of mayWrite) for (const command of runsOf(job)) expect(command).not.toMatch(codeOfProject);
  expect(runsOf(jobs['npm']!)).toEqual([expect.stringContaining('--ignore-scripts')]);
  expect(runsOf(jobs['build']!).join('\n')).toMatch(codeOfProject);
});

test('the checked-out folder has no token, commands have no expressions, and no secret is stored', async () => {
  const { jobs } = await written();
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout'));
  expect(checkouts).toHaveLength(2);
  for (const { with: options } of checkouts) expect(options).toEqual({ 'persist-credentials': false });
  for (const { run = '' } of steps) expect(run).not.toContain('${{');
  expect(project.read(FILE)).not.toContain('secrets.');
});

test('the image gets a bill of materials and its provenance', async () => {
  const { jobs } = await written();
  const build = jobs['image']!.steps.at(-1)!;
  expect(build.with).toMatchObject({ push: true, sbom: true, provenance: 'mode=max', context: '.' });
  expect(runsOf(jobs['image']!)).toEqual([
    expect.stringContaining('name=ghcr.io/ann/notes:${GITHUB_REF_NAME#v}'),
  ]);
});

describe('mcp-publisher', () => {
  /** Runs the step that fetches it, with a curl that copies a file of ours. */
  async function fetchPublisher(sum: (file: Buffer) => string) {
    const { steps, env } = (await written()).jobs['registry']!;
    const step = steps.find(({ name }) => name === 'fetch mcp-publisher and check it')!;
    mkdirSync(project.path('runner'));
    project.write('runner/mcp-publisher', '#!/bin/sh\n');
    spawnSync('tar', ['-czf', 'archive.tar.gz', 'mcp-publisher'], { cwd: project.path('runner') });
    project.write('bin/curl', '#!/bin/sh\necho "$@" > asked\ncp archive.tar.gz publisher.tar.gz\n');
    chmodSync(project.path('bin/curl'), 0o755);
    const { status } = spawnSync('bash', ['-e', '-c', `rm mcp-publisher\n${step.run!}`], {
      cwd: project.path('runner'),
      env: {
        PATH: `${project.path('bin')}:${process.env['PATH']}`,
        ...env,
        MCP_PUBLISHER_SHA256: sum(readFileSync(project.path('runner/archive.tar.gz'))),
      },
    });
    return { status, asked: project.read('runner/asked'), isThere: project.has('runner/mcp-publisher') };
  }

  test('is unpacked if it has the right sum', async () => {
    const sum = (file: Buffer) => createHash('sha256').update(file).digest('hex');
    expect(await fetchPublisher(sum)).toEqual({
      status: 0,
      isThere: true,
      asked: expect.stringMatching(
        /registry\/releases\/download\/v\d+\.\d+\.\d+\/mcp-publisher_linux_amd64\.tar\.gz/,
      ),
    });
  });

  test('is not unpacked if it has another sum', async () => {
    expect(await fetchPublisher(() => 'a'.repeat(64))).toMatchObject({ status: 1, isThere: false });
  });
});

test('a name space of a domain is proved by its key', async () => {
  const { jobs } = await written([], { name: 'com.example.api/notes' });
  expect(jobs['registry']!.permissions).toEqual({});
  expect(jobs['registry']!.environment).toBe('publish');
  expect(jobs['registry']!.steps.find(({ env }) => env)).toMatchObject({
    run: './mcp-publisher login dns --domain api.example.com --private-key "$MCP_PRIVATE_KEY"',
    env: { MCP_PRIVATE_KEY: '${{ secrets.MCP_PRIVATE_KEY }}' },
  });
});

test('a project in a folder of its repository has its workflow at the root', async () => {
  const nested = project.path('packages/notes');
  project.write('packages/notes/package.json', JSON.stringify(notesPackage));
  project.write('packages/notes/server.json', project.read('server.json'));
  project.write('pnpm-lock.yaml', "lockfileVersion: '9.0'");
  mkdirSync(project.path('.git'));
  expect(await project.publishIn(nested, 'workflow', '--yes')).toMatchObject({ code: 0 });
  const { jobs } = parse(project.read(FILE)) as Workflow;
  expect(jobs['build']!.defaults).toEqual({ run: { 'working-directory': 'packages/notes' } });
  expect(jobs['build']!.steps.at(-1)!.with).toMatchObject({ path: 'packages/notes/release' });
  expect(runsOf(jobs['build']!)).toContain('corepack enable && pnpm install --frozen-lockfile');
});

test('images elsewhere are left to the person', async () => {
  const elsewhere = { ...image, identifier: 'docker.io/ann/notes:1.2.3' };
  project.write('server.json', JSON.stringify({ ...project.json('server.json'), packages: [elsewhere] }));
  const { stderr } = await project.publish('workflow', '--yes');
  expect(stderr).toContain('Push docker.io/ann/notes:1.2.3 before its tag.');
  expect(Object.keys((parse(project.read(FILE)) as Workflow).jobs)).toEqual(['build', 'registry']);
});

test('a workflow with another text is replaced only on request, and --check sees it', async () => {
  await written();
  expect(await project.publish('workflow', '--check')).toMatchObject({ code: 0 });
  project.edit(FILE, 'timeout-minutes: 20', 'timeout-minutes: 5');
  const edited = project.read(FILE);
  expect(await project.publish('workflow', '--check')).toMatchObject({ code: 1 });
  expect(await project.publish('workflow', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--replace'),
  });
  expect(project.read(FILE)).toBe(edited);
  expect(await project.publish('workflow', '--yes', '--replace')).toMatchObject({ code: 0 });
  expect(project.read(FILE)).not.toBe(edited);
});

test.each<[string, () => void, string]>([
  ['no server.json', () => rmSync(project.path('server.json')), 'toolwright publish registry'],
  ['another package manager', () => project.write('yarn.lock', '# yarn lockfile v1'), 'npm and pnpm'],
  [
    'a name that is a command',
    () => project.write('server.json', '{"name":"com.$(id)/notes"}'),
    'The name in',
  ],
])('%s is refused', async (_what, change, message) => {
  change();
  expect(await project.publish('workflow', '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  });
  expect(project.has(FILE)).toBe(false);
});
