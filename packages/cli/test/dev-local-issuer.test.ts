import { spawnSync } from 'node:child_process';
import { createApp } from 'create-toolwright';
import { ConsolePage } from './support/console-page.js';
import { DevProcess } from './support/dev-process.js';
import { programs, ProjectFolder } from './support/project-folder.js';

const installed = {
  '@toolwright/core': 'packages/core',
  '@toolwright/http': 'packages/http',
  '@toolwright/testing': 'packages/testing',
  'class-validator': 'packages/cli/node_modules/class-validator',
  'class-transformer': 'packages/cli/node_modules/class-transformer',
  '@types/node': 'node_modules/@types/node',
};

class JwtApp extends ProjectFolder {
  constructor({ identity = true } = {}) {
    super();
    createApp({ directory: this.path('app'), words: { signIn: 'jwt' } });
    this.install({ ...installed, ...(identity && { '@toolwright/identity': 'packages/identity' }) });
  }

  /** Runs a command of the app. */
  run(...words: string[]) {
    const { PATH } = process.env;
    return spawnSync(process.execPath, [programs.toolwright, ...words], {
      cwd: this.path('app'),
      encoding: 'utf8',
      env: { PATH, NO_COLOR: '1' },
    });
  }

  dev(env: Record<string, string> = {}): DevProcess {
    return new DevProcess({ folder: this.path('app'), path: (...names) => this.path(...names) }, { env });
  }
}

describe('a new app with --sign-in jwt', () => {
  let app: JwtApp;
  let dev: DevProcess;
  let url: string;

  beforeAll(async () => {
    app = new JwtApp();
    dev = app.dev();
    ({ href: url } = await dev.url());
  });

  afterAll(async () => {
    await dev.stop();
    app.remove();
  });

  test('works at the first run of dev, which names its issuer and who may sign in', () => {
    expect(dev.printed).toMatch(/^issuer: http:\/\/127\.0\.0\.1:\d+ \(sign in as ann, ben, cleo\)$/m);
  });

  test('has a banner with a command that signs in', async () => {
    expect(dev.printed).toMatch(/^ +Terminal +npx --no toolwright list --url \S+\/mcp --as ann$/m);
  });

  test('lets the command sign in as each test user, and shows each what it may call', () => {
    const names = (user: string) => {
      const { stdout } = app.run('list', '--url', url, '--as', user, '--json');
      return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    };
    expect(['ann', 'ben', 'cleo'].map(names)).toEqual([['find_notes', 'add_note'], ['find_notes'], []]);
    const added = app.run('call', '--url', url, '--as', 'ann', 'add_note', '--text', 'Buy milk.');
    expect(added).toMatchObject({ status: 0, stdout: expect.stringContaining('Buy milk.') });
  });

  test('tells the command who the test users are, if it names another one', () => {
    expect(app.run('list', '--url', url).stderr).toMatch(
      /answered 401 .*: it wants to know who calls\. Call as a test user of toolwright dev: --as ann, --as ben/,
    );
    const { status, stderr } = app.run('list', '--url', url, '--as', 'zoe');
    expect(status).not.toBe(0);
    expect(stderr).toContain(
      'There is no test user zoe. There are: ann (notes:read notes:write), ben (notes:read), cleo (no scope).',
    );
    expect(stderr).not.toContain('    at ');
  });

  test('offers the console its test users', async () => {
    const [, address] = /^console: (http:\S*)$/m.exec(dev.printed)!;
    const page = await ConsolePage.open(address!);
    const { testUsers } = await page.ask('overview', {});
    expect(testUsers).toEqual([
      { subject: 'ann', issuer: expect.any(String), scopes: ['notes:read', 'notes:write'] },
      { subject: 'ben', issuer: expect.any(String), scopes: ['notes:read'] },
      { subject: 'cleo', issuer: expect.any(String), scopes: [] },
    ]);
    const { operations } = await page.ask('surface', { server: 'app', as: testUsers![1]! });
    expect(operations.map(({ name }) => name)).toEqual(['find_notes']);
  });

  test('keeps who has signed in through a restart of the app', async () => {
    app.edit('app/src/note-store.ts', 'Keeps notes in memory.', 'Keeps notes.');
    app.edit('app/src/main.ts', 'listening on', 'now listening on');
    await dev.says(/restarted/);
    expect(app.run('list', '--url', url, '--as', 'ben')).toMatchObject({ status: 0 });
  });
});

test('an endpoint without a local issuer is told from one that has test users', async () => {
  const app = new JwtApp();
  const dev = app.dev({
    MCP_ISSUER: 'https://login.example.com',
    MCP_RESOURCE: 'https://mcp.example.com/mcp',
  });
  try {
    const { href } = await dev.url();
    expect(dev.printed).not.toContain('issuer:');
    // The banner says how to get a key, or to sign in at that issuer.
    expect(dev.printed).toMatch(/list --url \S+ --header "Authorization: Bearer <key>"$/m);
    expect(dev.printed).toContain(`npx --no toolwright login ${href}`);
    const { status, stderr } = app.run('list', '--url', href, '--as', 'ann');
    expect(status).not.toBe(0);
    expect(stderr).toContain(`and ${href} trusts https://login.example.com.`);
  } finally {
    await dev.stop();
    app.remove();
  }
});

test.each([
  [
    'the package is missing',
    { identity: false },
    { NODE_PATH: '' },
    'npm install --save-dev @toolwright/identity',
  ],
  ['this is production', {}, { NODE_ENV: 'production' }, 'does not start with NODE_ENV=production'],
])('dev says what to do, and ends, if %s', async (_what, options, env, text) => {
  const app = new JwtApp(options);
  const dev = app.dev(env);
  try {
    expect(await dev.exited).not.toBe(0);
    expect(dev.printed).toContain(text);
    expect(dev.printed).not.toContain('    at ');
  } finally {
    await dev.stop();
    app.remove();
  }
});
