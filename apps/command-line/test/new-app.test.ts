import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { takeNote, type AppAddress } from './support/official-client.js';
import { Newcomer } from './support/newcomer.js';
import { hasTerminal, keys, PseudoTerminal } from './support/pseudo-terminal.js';
import { Registry } from './support/registry.js';

jest.setTimeout(180_000);

let registry: Registry;
let newcomer: Newcomer;

beforeAll(async () => {
  registry = await Registry.start();
  newcomer = new Newcomer(registry.url);
});

afterAll(async () => {
  newcomer?.leave();
  await registry?.stop();
});

const file = (...path: string[]) => join(newcomer.home, ...path);
const read = (...path: string[]) => readFileSync(file(...path), 'utf8');

describe('the first app of a newcomer, with plain npm in an empty folder', () => {
  test('is made, installed, built and tested by one command', () => {
    const made = newcomer.run('.', ['npm', 'create', 'toolwright@latest', 'my-server', '--', '--yes']);
    expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining('cd my-server\n  npm start\n') });
    expect(made.stderr).toMatch(/# pass 2\n# fail 0/);
  });

  test('passes its test again, and has nothing that lint would tell', () => {
    expect(newcomer.run('my-server', ['npm', 'test'])).toMatchObject({ status: 0 });
    const lint = newcomer.run('my-server', ['npx', 'toolwright', 'lint', '--strict']);
    expect(lint).toMatchObject({ status: 0, stdout: '' });
  });

  test('starts, and answers the official client on both eras', async () => {
    const app = await newcomer.start('my-server', { PORT: '0' });
    try {
      expect(await takeNote(app.url)).toEqual({ notes: [{ id: 1, text: 'Buy milk.' }] });
      expect(await takeNote(app.url, { era: 'legacy' })).toEqual({ notes: [{ id: 2, text: 'Buy milk.' }] });
    } finally {
      await app.stop();
    }
  });

  test('grows by a tool, and passes the tests of both', () => {
    const added = newcomer.run('my-server', ['npx', 'toolwright', 'new', 'tool', 'count_words', '--yes']);
    expect(added).toMatchObject({ status: 0, stderr: '' });
    const tested = newcomer.run('my-server', ['npm', 'test']);
    expect(tested).toMatchObject({ status: 0, stdout: expect.stringMatching(/# pass 3\n# fail 0/) });
  });

  test('takes over what is edited while it runs', async () => {
    const app = await newcomer.start('my-server', { PORT: '0' }, 'dev');
    const source = file('my-server/src/note-tools.ts');
    const list = () => newcomer.run('my-server', ['npx', 'toolwright', 'list', '--url', app.url.href]).stdout;
    try {
      expect(list()).toContain('  Add a note.');
      writeFileSync(source, readFileSync(source, 'utf8').replace('Add a note.', 'Write a note down.'));
      while (!list().includes('  Write a note down.')) continue;
    } finally {
      await app.stop();
    }
  });

  test('hears from diff when a change breaks its callers', () => {
    expect(newcomer.run('my-server', ['npx', 'toolwright', 'lock'])).toMatchObject({ status: 0 });
    const source = file('my-server/src/note-tools.ts');
    writeFileSync(source, readFileSync(source, 'utf8').replace('@maximum 50', '@maximum 20'));
    expect(newcomer.run('my-server', ['npm', 'run', 'build'])).toMatchObject({ status: 0 });
    const { status, stdout } = newcomer.run('my-server', ['npx', 'toolwright', 'diff']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^breaking +find_notes\/input\/properties\/limit +maximum was 50, is 20\n$/);
  });

  test('needs little in production', () => {
    expect(newcomer.run('my-server', ['npm', 'prune', '--omit=dev'])).toMatchObject({ status: 0 });
    expect(sizeOf(file('my-server/node_modules'))).toBeLessThan(24 * 2 ** 20);
    expect(newcomer.run('my-server', ['npm', 'ls', 'typescript']).stdout).toContain('(empty)');
  });
});

describe('an app with all there is', () => {
  const answered = 'is what was answered in a terminal';
  test(hasTerminal ? answered : `was made from flags, for want of the program "script"`, async () => {
    if (!hasTerminal) return makeFromFlags();
    const terminal = PseudoTerminal.start(['npm', 'create', 'toolwright@latest', 'asked'], {
      cwd: newcomer.home,
      env: newcomer.env,
    });
    await terminal.see('How do clients reach it?');
    terminal.type(keys.down + keys.down);
    terminal.type(keys.enter);
    await terminal.see('Who may call it?');
    terminal.type(keys.down);
    terminal.type(keys.enter);
    await terminal.see('Where does it keep its data?');
    terminal.type(keys.down);
    terminal.type(keys.enter);
    await terminal.see('Done. Next:');
    expect(await terminal.exit()).toBe(0);
    expect(JSON.parse(read('asked/package.json'))).toMatchObject({
      dependencies: {
        '@electric-sql/pglite': expect.any(String),
        '@toolwright/http': expect.any(String),
        '@toolwright/stdio': expect.any(String),
      },
    });
  });

  test('is started by a host as .vscode/mcp.json says, and keeps its notes', async () => {
    const first = { notes: [{ id: 1, text: 'Buy milk.' }] };
    expect(await takeNote(hostEntry('asked'))).toEqual(first);
    expect(await takeNote(hostEntry('asked'), { era: 'legacy' })).toEqual({
      notes: [{ id: 2, text: 'Buy milk.' }],
    });
  });

  test('wants an access token over HTTP', async () => {
    const issuer = await startIssuer();
    const resource = 'https://mcp.example.com/mcp';
    const app = await newcomer.start('asked', { PORT: '0', MCP_RESOURCE: resource, MCP_ISSUER: issuer.url });
    try {
      await expect(takeNote(app.url)).rejects.toThrow();
      const { status, headers } = await fetch(app.url, { method: 'POST', body: '{}' });
      expect({ status, challenge: headers.get('www-authenticate') }).toEqual({
        status: 401,
        challenge: expect.stringContaining(
          'https://mcp.example.com/.well-known/oauth-protected-resource/mcp',
        ),
      });
      const token = await issuer.tokenFor(resource);
      expect(await takeNote(app.url, { token })).toMatchObject({ notes: [{ text: 'Buy milk.' }] });
    } finally {
      await app.stop();
      await issuer.stop();
    }
  });
});

test('an app over stdio is made without a terminal and without --yes: nothing is asked', async () => {
  const made = newcomer.run('.', [
    'npm',
    'create',
    'toolwright@latest',
    'local',
    '--',
    '--transport',
    'stdio',
  ]);
  expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining('local/dist/main.js') });
  expect(await takeNote(hostEntry('local'))).toEqual({ notes: [{ id: 1, text: 'Buy milk.' }] });
});

test('an app is made inside a monorepo, with the package manager of that', () => {
  for (const [name, text] of [
    ['package.json', '{ "name": "shop", "private": true }'],
    ['pnpm-workspace.yaml', 'packages: ["apps/*"]'],
  ] as const) {
    mkdirSync(file('shop'), { recursive: true });
    writeFileSync(file('shop', name), text);
  }
  const added = newcomer.run('shop', ['pnpm', 'add', '-w', '--save-dev', '@toolwright/cli']);
  expect(added).toMatchObject({ status: 0 });
  const words: [string, ...string[]] = ['node_modules/.bin/toolwright', 'new', 'app', 'apps/orders', '--yes'];
  const made = newcomer.run('shop', words);
  expect(made).toMatchObject({ status: 0, stdout: 'apps/orders: 17 files\n' });
  expect(made.stderr).toMatch(/# pass 2/);
  expect(existsSync(file('shop/apps/orders/package-lock.json'))).toBe(false);
  expect(read('shop/pnpm-lock.yaml')).toContain('apps/orders:');
});

test('every other combination is made, and compiles with what was installed', () => {
  const create = file('asked/node_modules/create-toolwright/bin/create-toolwright.js');
  mkdirSync(file('every'));
  symlinkSync(file('asked/node_modules'), file('every/node_modules'), 'dir');
  for (const transport of ['http', 'stdio', 'both'])
    for (const auth of transport === 'stdio' ? ['none'] : ['none', 'jwt'])
      for (const db of ['none', 'pglite']) {
        const flags = ['--transport', transport, '--auth', auth, '--db', db, '--no-install'];
        const words: [string, ...string[]] = ['node', create, `${transport}-${auth}-${db}`, ...flags];
        expect(newcomer.run('every', words)).toMatchObject({ status: 0, stderr: '' });
      }
  const options = {
    extends: './http-none-none/tsconfig.json',
    compilerOptions: { noEmit: true, rootDir: '.' },
  };
  writeFileSync(file('every/tsconfig.json'), JSON.stringify({ ...options, include: ['*/src'] }));
  expect(newcomer.run('every', ['npx', 'tsc'])).toMatchObject({ status: 0, stdout: '' });
});

function makeFromFlags(): void {
  const flags = ['--transport', 'both', '--auth', 'jwt', '--db', 'pglite'];
  const made = newcomer.run('.', ['npm', 'create', 'toolwright@latest', 'asked', '--', ...flags]);
  expect(made).toMatchObject({ status: 0 });
}

/** The command in an app's `.vscode/mcp.json`, as VS Code runs it. */
function hostEntry(app: string): AppAddress {
  const { servers } = JSON.parse(read(app, '.vscode/mcp.json')) as {
    servers: Record<string, { command: string; args: string[] }>;
  };
  const { command, args } = servers[app]!;
  return { command, args: args.map((word) => word.replace('${workspaceFolder}', file(app))) };
}

/** Bytes of all files below a folder. */
function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** A real authorization server, with one client. */
async function startIssuer() {
  const program = join(__dirname, '../../../packages/http/test/support/authorization-server.mjs');
  const server = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
  const tokenFor = async (resource: string) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'pages:read', resource });
    const authorization = `Basic ${Buffer.from('agent:secret-of-the-test').toString('base64')}`;
    const response = await fetch(`${url}/token`, { method: 'POST', headers: { authorization }, body });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const stop = async () => {
    server.stdin.end();
    await once(server, 'exit');
  };
  return { url, tokenFor, stop };
}
