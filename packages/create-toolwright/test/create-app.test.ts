import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { sampleOf } from '../../../.ci/test/support/proof.js';
import { programs, ProjectFolder, repository } from '../../cli/test/support/project-folder.js';
import {
  signIns,
  createApp,
  databases,
  flagOf,
  moduleKinds,
  runners,
  toolLists,
  transports,
  views,
} from '../src/index.js';
import { outsideAddress, startApp, statusFor } from './support/started-app.js';

const room = new ProjectFolder();
const main = join(__dirname, '../bin/create-toolwright.js');

/** The dependencies of apps, as links to what is installed here. */
const installed = {
  '@toolwright/code': 'packages/code',
  '@toolwright/core': 'packages/core',
  '@toolwright/express': 'packages/express',
  '@toolwright/http': 'packages/http',
  '@toolwright/identity': 'packages/identity',
  '@toolwright/postgres': 'packages/postgres',
  '@toolwright/search': 'packages/search',
  '@toolwright/stdio': 'packages/stdio',
  '@toolwright/testing': 'packages/testing',
  '@toolwright/views': 'packages/views',
  preact: 'packages/views/node_modules/preact',
  vite: 'packages/views/node_modules/vite',
  '@electric-sql/pglite': 'apps/pages/node_modules/@electric-sql/pglite',
  'class-validator': 'packages/cli/node_modules/class-validator',
  'class-transformer': 'packages/cli/node_modules/class-transformer',
  '@types/jest': 'node_modules/@types/jest',
  '@types/node': 'node_modules/@types/node',
  ...Object.fromEntries(
    ['@swc/core', '@swc/jest', 'jest', 'vitest'].map((name) => [
      name,
      `apps/toolchains/node_modules/${name}`,
    ]),
  ),
};

beforeAll(() => {
  room.install(installed);
  room.write('held/notes.txt', 'mine');
});

afterAll(() => room.remove());

/** Each main file as both kinds of modules, each store, and each runner with both of all these. */
const combinations = transports
  .flatMap((transport) => signIns.flatMap((signIn) => databases.map((db) => ({ transport, signIn, db }))))
  .filter(({ transport, signIn }) => transport !== 'stdio' || signIn === 'none')
  .flatMap((words, index) => {
    const test = runners[index % runners.length]!;
    const tools = toolLists[index % toolLists.length]!;
    const view = views[index % views.length]!;
    return moduleKinds.map((module) => ({ ...words, test, module, tools, view }));
  });

/** @returns the folder of the app */
function create(name: string, words: Record<string, string>): string {
  createApp({ directory: room.path(name), words });
  return name;
}

test('every combination of flags is written without leftovers, and compiles', () => {
  for (const words of combinations) {
    const app = create(`every-${Object.values(words).join('-')}`, words);
    expect(room.read(join(app, 'src/create-server.ts'))).not.toContain('my-server');
    expect(JSON.parse(room.read(join(app, '.vscode/mcp.json')))).toHaveProperty('servers');
    // It only helps what is loaded after it.
    expect(room.read(join(app, 'src/main.ts'))).toMatch(/^import '.\/compile-cache.js';\n/);
    expect(room.read(join(app, 'src/compile-cache.ts'))).toContain('enableCompileCache');
  }
  const [first] = combinations;
  room.write(
    'tsconfig.json',
    JSON.stringify({
      extends: `./every-${Object.values(first!).join('-')}/tsconfig.json`,
      compilerOptions: { noEmit: true, rootDir: '.', noUnusedLocals: true, types: ['node', 'jest'] },
      include: ['every-*/src'],
      exclude: ['every-*/src/views'],
    }),
  );
  expect(room.compile()).toMatchObject({ status: 0, stdout: '' });
});

/** Compiles an app and writes its manifest, as its script "build" does. */
function build(directory: string): void {
  expect(room.nodeIn(directory, programs.tsc)).toMatchObject({ status: 0, stdout: '' });
  expect(room.nodeIn(directory, programs.toolwright, 'build')).toMatchObject({ status: 0, stderr: '' });
}

describe('a built app', () => {
  let directory: string;

  beforeAll(() => {
    directory = create('finished', { transport: 'both', db: 'pglite', tools: 'search', view: 'preact' });
    expect(room.read(join(directory, 'src/create-server.ts'))).toContain('toolSearch: { above: 8_000 }');
    build(directory);
  });

  test('has what an editor needs to understand its view', () => {
    const project = join('src', 'views');
    expect(room.nodeIn(directory, programs.tsc, '-p', project)).toMatchObject({ status: 0, stdout: '' });
    const withReact = create('with-react', { view: 'react' });
    const { compilerOptions } = JSON.parse(room.read(join(withReact, project, 'tsconfig.json')));
    expect(compilerOptions.jsxImportSource).toBe('react');
  });

  test('passes its own test, starts, and lists its tools', async () => {
    expect(room.nodeIn(directory, '--test', 'dist/note-tools.test.js')).toMatchObject({ status: 0 });
    const app = startApp(room.path(directory), { DATA: room.path(directory, '.data') });
    try {
      const { stdout } = room.nodeIn(directory, programs.toolwright, 'list', '--url', await app.url);
      expect(stdout).toMatch(/find_notes[\s\S]*add_note/);
    } finally {
      expect(await app.stop()).toEqual([0, null]);
    }
  });

  test('can be reached from outside of the container of its Dockerfile, but only by its own names', async () => {
    const image = room.read(join(directory, 'Dockerfile'));
    const set = [...image.matchAll(/^ENV (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value] as const);
    const app = startApp(room.path(directory), {
      ...Object.fromEntries(set),
      ALLOWED_HOSTS: 'mcp.example.com, other.test',
      DATA: room.path(directory, '.data-of-container'),
    });
    try {
      const { port } = new URL(await app.url);
      // Docker would run it in the container; here the port is another one.
      const [, check] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(image)!;
      const isHealthy = (where: string) =>
        spawnSync(process.execPath, (JSON.parse(check!) as string[]).slice(1), { env: { PORT: where } })
          .status;
      expect([isHealthy(port), isHealthy('1')]).toEqual([0, 1]);
      const ask = (host: string) => statusFor({ host: outsideAddress(), port, headers: { host } });
      expect(await ask('mcp.example.com')).toBe(200);
      expect(await ask(`other.test:${port}`)).toBe(200);
      expect(await ask(`localhost:${port}`)).toBe(200);
      expect(await ask('rebound.example')).toBe(403);
    } finally {
      expect(await app.stop()).toEqual([0, null]);
    }
  });
});

test('an app with API keys makes them by the command while it does not run, and lets in who has one', async () => {
  const directory = create('with-keys', { transport: 'http', signIn: 'keys', db: 'pglite' });
  build(directory);
  const env = { DATA: room.path(directory, '.data') };
  const begin = () => startApp(room.path(directory), env);
  const first = begin();
  const { port, hostname } = new URL(await first.url);
  expect(await statusFor({ host: hostname, port })).toBe(401);
  expect(await first.stop()).toEqual([0, null]);

  const [SECRETS] = room.read(join(directory, '.data/secrets')).split('\n');
  const words = 'keys create --pglite .data/stores --subject ci --scopes notes:read'.split(' ');
  const made = spawnSync(process.execPath, [programs.toolwright, ...words], {
    cwd: room.path(directory),
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], SECRETS },
  });
  expect(made).toMatchObject({ status: 0, stderr: '' });
  const [key] = made.stdout.split('\n');

  const second = begin();
  try {
    const url = new URL(await second.url);
    const headers = { authorization: `Bearer ${key}` };
    expect(await statusFor({ host: url.hostname, port: url.port, headers })).toBe(200);
    const listed = room.nodeIn(
      directory,
      programs.toolwright,
      'list',
      '--url',
      url.href,
      '--header',
      `X-API-Key: ${key}`,
    );
    expect(listed.stdout).toContain('find_notes');
    expect(listed.stdout).not.toContain('add_note');
  } finally {
    expect(await second.stop()).toEqual([0, null]);
  }
});

test('Vitest and Jest run the test of an app, as ES modules and as CommonJS', () => {
  const [vitest, jest] = (['vitest', 'jest'] as const).map((runner) =>
    // Jest does more for ES modules, and Vitest for CommonJS.
    sampleOf(moduleKinds, (module) => module === (runner === 'jest' ? 'esm' : 'cjs')).map((module) => {
      // Jest has to compile PGlite.
      const db = runner === 'jest' && module === 'esm' ? 'pglite' : 'none';
      return create(`${runner}-${module}`, { test: runner, module, db });
    }),
  ) as [string[], string[]];
  const passed = `${2 * jest.length} passed`;
  // One process runs the tests of all apps. A busy machine is no failure.
  const patience = '--testTimeout=150000';
  room.write('runners/vitest.config.mjs', `export default { test: { projects: ${projects(vitest)} } };`);
  room.write('runners/jest.config.json', `{ "projects": ${projects(jest)} }`);
  const byVitest = room.nodeIn('runners', room.path('node_modules/vitest/vitest.mjs'), 'run', patience);
  expect(byVitest).toMatchObject({ status: 0, stdout: expect.stringContaining(passed) });
  const byJest = room.nodeIn('runners', room.path('node_modules/jest/bin/jest.js'), '--ci', patience);
  expect(byJest).toMatchObject({ status: 0, stderr: expect.stringContaining(passed) });
});

const projects = (folders: string[]) => JSON.stringify(folders.map((folder) => room.path(folder)));

test('what an app installs for its tests is what runs them here', () => {
  for (const runner of runners) {
    const app = create(`versions-${runner}`, { test: runner, db: 'pglite' });
    const { dependencies, devDependencies } = JSON.parse(room.read(join(app, 'package.json')));
    for (const name of Object.keys(installed)) {
      const version = { ...dependencies, ...devDependencies }[name] as string | undefined;
      const own = JSON.parse(room.read(`node_modules/${name}/package.json`)) as { version: string };
      if (version !== undefined) expect({ name, version }).toEqual({ name, version: own.version });
    }
  }
});

test('the workflow names actions by their commits, and an app inside of a repository has none', () => {
  const workflow = '.github/workflows/ci.yml';
  const { permissions, jobs } = parse(room.read(join(create('checked', {}), workflow)));
  expect(permissions).toEqual({ contents: 'read' });
  const steps: { uses?: string; run?: string }[] = jobs.test.steps;
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  expect(actions).toHaveLength(2);
  for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
  const ours = readFileSync(join(repository, '.github/workflows/check.yml'), 'utf8');
  for (const action of actions) expect(ours).toContain(action);
  room.write('repository/.git/HEAD', 'ref: refs/heads/main');
  expect(room.has(join(create('repository/inside', {}), workflow))).toBe(false);
});

test('what a coding agent is taught compiles, builds and has nothing that lint would tell', () => {
  const directory = create('taught', { transport: 'http', module: 'cjs' });
  const lesson = room.read(join(directory, 'AGENTS.md'));
  const [, code] = /```ts\n([^]*?)```/.exec(lesson)!;
  room.write(join(directory, 'src/note-reports.ts'), code!);
  const creation = room.read(join(directory, 'src/create-server.ts'));
  room.write(
    join(directory, 'src/create-server.ts'),
    `import { NoteReports } from './note-reports.js';\n${creation.replace('[NoteTools]', '[NoteTools, NoteReports]')}`,
  );
  build(directory);
  expect(room.nodeIn(directory, '--test', 'dist/note-tools.test.js')).toMatchObject({ status: 0 });
  expect(room.nodeIn(directory, programs.toolwright, 'lint')).toMatchObject({ status: 0 });
  const explained = room.nodeIn(directory, programs.toolwright, 'explain', 'count_notes');
  expect(explained.stdout).toContain('minLength');
  expect(lesson).not.toContain('my-server');
  expect(room.read(join(directory, '.claude/skills/add-tool/SKILL.md'))).toContain('AGENTS.md');
  expect(JSON.parse(room.read(join(directory, '.mcp.json')))).toEqual({
    mcpServers: { 'taught-dev': { command: 'npx', args: ['--no', 'toolwright', 'dev', '--mcp'] } },
  });
});

test.each([
  [
    'a word that is none',
    'one',
    { transport: 'smoke' },
    /--transport is one of http, stdio, both, not smoke/,
  ],
  ['a runner that is none', 'three', { test: 'mocha' }, /--test is one of node, vitest, jest, not mocha/],
  ['tokens over stdio', 'two', { transport: 'stdio', signIn: 'jwt' }, /stdio carries no tokens/],
  ['a name that is no package', 'Two Words', {}, /no name for a package/],
  ['a folder that holds something', 'held', {}, /is not empty: it has .*\. Name a folder that is new/],
])('%s is refused, and nothing is written', (_case, name, words, message) => {
  expect(() => create(name, words)).toThrow(message);
});

test('the command says what is wrong with its words, and exits with 2', () => {
  expect(room.node(main, 'app', '--transprt', 'stdio')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^error: There is no --transprt\. There are --transport, --sign-in, .*--yes/,
    ),
  });
  const refused = (...words: string[]) => room.node(main, 'app', '--yes', ...words);
  const twice = refused('--db', 'none', '--db', 'pglite');
  expect([twice.status, twice.stderr]).toEqual([2, 'error: --db takes one value, and was given twice.\n']);
  const unknown = refused('--sign-in', 'x');
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toBe('error: --sign-in is one of none, jwt, keys, grants, not x.\n');
});

describe('npm, which reads the flags first', () => {
  const createdBy = (env: Record<string, string>, ...words: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...words], {
      cwd: room.folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], npm_command: 'init', ...env },
    });
    return [status, stderr];
  };

  test('has no option of the name of a flag, and completes none of them to one of its own', () => {
    const listed = spawnSync('npm', ['config', 'list', '--long', '--json'], {
      cwd: room.folder,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    const known = Object.keys(JSON.parse(listed.stdout) as object);
    expect(known).toEqual(expect.arrayContaining(['auth-type', 'viewer', 'yes']));
    for (const flag of [...Object.values(flagOf), 'files-only'])
      expect(known.filter((name) => name.startsWith(flag))).toEqual([]);
  });

  test.each([
    [['sub'], 'stdio'],
    [['sub', 'stdio'], 'true'],
    [['stdio', 'sub'], 'true'],
  ] as const)(
    'is told to pass them on, with the line to write, after it has taken them (%s)',
    (words, value) => {
      expect(createdBy({ npm_config_transport: value }, ...words)).toEqual([
        2,
        'error: npm took --transport for its own: "--" is missing. Write: npm create toolwright@latest sub -- --transport stdio\n',
      ]);
      expect(room.has('sub')).toBe(false);
    },
  );

  test('says the line also for several flags, wherever their values stand', () => {
    const taken = { npm_config_transport: 'true', npm_config_name: 'true', npm_config_files_only: 'true' };
    expect(createdBy(taken, 'stdio', '@acme/sub', 'sub')[1]).toContain(
      'Write: npm create toolwright@latest sub -- --transport stdio --name @acme/sub --files-only',
    );
    expect(createdBy({ npm_config_db: 'true' }, 'sub')[1]).toContain('sub -- --db <value>');
  });

  test('leaves of two flags of before what shows that they were meant', () => {
    expect(createdBy({ npm_config_viewer: 'preact' }, 'sub')).toEqual([
      2,
      'error: --view is called --with-view now. Write --with-view.\n',
    ]);
    expect(createdBy({ npm_config_install: '' }, 'sub')).toEqual([
      2,
      'error: --no-install is called --files-only now. Write --files-only.\n',
    ]);
    expect(room.has('sub')).toBe(false);
  });

  test.each(['--auth=jwt', '--view', '--no-install'])('%s is refused with the name of today', (flag) => {
    expect(createdBy({}, 'sub', flag)).toEqual([
      2,
      expect.stringContaining(`${flag.split('=')[0]} is called --`),
    ]);
    expect(room.has('sub')).toBe(false);
  });
});

test.each([
  ['none', 'open to all programs on this machine'],
  ['jwt', 'callers sign in (--sign-in jwt)'],
  ['keys', 'callers need an API key (--sign-in keys)'],
  ['grants', 'callers sign in (--sign-in grants)'],
])('the command says at its end what an app with --sign-in %s does about access', (signIn, words) => {
  const app = `open-${signIn}`;
  expect(room.node(main, app, '--yes', '--files-only', '--sign-in', signIn)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`Access: ${words}`),
  });
});

test('an app keeps the scope of its folder, or takes a name, and its server has neither', () => {
  const nameIn = (folder: string) =>
    (JSON.parse(room.read(join(folder, 'package.json'))) as { name: string }).name;
  expect(room.node(main, '@acme/orders', '--yes', '--files-only')).toMatchObject({ status: 0 });
  expect(nameIn('@acme/orders')).toBe('@acme/orders');
  expect(room.read('@acme/orders/src/create-server.ts')).toContain("name: 'orders'");
  expect(room.node(main, 'Other Folder', '--yes', '--files-only', '--name', '@acme/other')).toMatchObject({
    status: 0,
  });
  expect(nameIn('Other Folder')).toBe('@acme/other');
});

test('flags count behind "--", which pnpm and Bun pass on', () => {
  expect(room.node(main, 'behind', '--', '--files-only', '--sign-in', 'keys')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('callers need an API key'),
  });
});
test('a new repository counts as an empty folder', () => {
  room.write('cloned/.git/HEAD', 'ref: refs/heads/main');
  expect(room.node(main, 'cloned', '--yes', '--files-only')).toMatchObject({ status: 0 });
  expect(room.has('cloned/package.json')).toBe(true);
});
