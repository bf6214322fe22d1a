import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { startIssuer } from './support/issuer.js';
import { takeNote, type AppAddress } from './support/official-client.js';
import { callTool, openConsole } from './support/printed-console.js';
import { hasTerminal, keys, PseudoTerminal } from './support/pseudo-terminal.js';
import { testLongWay } from './support/test-long-way.js';
import { withNewcomer } from './support/with-newcomer.js';

const own = withNewcomer();

const file = (...path: string[]) => join(own.newcomer.home, ...path);
const read = (...path: string[]) => readFileSync(file(...path), 'utf8');

describe('a newcomer without a template', () => testLongWay(() => own.registry));

describe('an app with all there is', () => {
  const answered = 'is what was answered in a terminal';
  test(hasTerminal ? answered : `was made from flags, for want of the program "script"`, async () => {
    if (!hasTerminal) return makeFromFlags();
    const terminal = PseudoTerminal.start(['npm', 'create', 'toolwright@latest', 'asked'], {
      cwd: own.newcomer.home,
      env: own.newcomer.env,
    });
    // npm asks whether it may install the package, which this home does not have yet.
    await terminal.see('Ok to proceed?');
    terminal.type(keys.enter);
    await terminal.see('How do clients reach it?');
    terminal.type(keys.down + keys.down);
    terminal.type(keys.enter);
    await terminal.see('Who may call it?');
    terminal.type(keys.down);
    terminal.type(keys.enter);
    await terminal.see('Where does it keep its data?');
    terminal.type(keys.down);
    terminal.type(keys.enter);
    await terminal.see('What runs its tests?');
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
    const app = await own.newcomer.start('asked', {
      PORT: '0',
      MCP_RESOURCE: resource,
      MCP_ISSUER: issuer.url,
    });
    try {
      await expect(takeNote(app.url)).rejects.toThrow();
      const { status, headers } = await fetch(app.url, { method: 'POST', body: '{}' });
      expect({ status, challenge: headers.get('www-authenticate') }).toEqual({
        status: 401,
        challenge: expect.stringContaining(
          'https://mcp.example.com/.well-known/oauth-protected-resource/mcp',
        ),
      });
      const token = await issuer.tokenFor(resource, 'notes:read notes:write');
      expect(await takeNote(app.url, { token })).toMatchObject({ notes: [{ text: 'Buy milk.' }] });
    } finally {
      await app.stop();
      await issuer.stop();
    }
  });
});

describeInChromium('an app with users, made and served by three commands', (browser) => {
  test('lets a test user see its tools and call them', async () => {
    const commands = ['npm create toolwright@latest signed -- --sign-in jwt', 'cd signed', 'npm run dev'];
    const app = await own.newcomer.type('.', commands.join('\n'), { PORT: '0' });
    try {
      const page = await openConsole(browser(), app);
      await page.getByRole('button', { name: 'Call as ann' }).click();
      await page.getByRole('link', { name: 'add_note' }).click();
      await page.getByLabel('text').fill('Buy milk.');
      expect(await callTool(page)).toContain('"text": "Buy milk."');
      await page.close();
    } finally {
      await app.stop();
    }
  });
});

test('an app over stdio is made without a terminal and without --yes: nothing is asked', async () => {
  const made = own.newcomer.run('.', [
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

test.each([
  ['--transport', 'stdio'],
  ['--sign-in', 'jwt'],
  ['--db', 'pglite'],
  ['--test', 'jest'],
  ['--module', 'cjs'],
  ['--tools', 'search'],
  ['--with-view', 'preact'],
  ['--name', '@acme/bare'],
  ['--files-only'],
])('npm takes %s where "--" is missing: nothing is written, and the line to write is', (...flag) => {
  const words = flag.join(' ');
  for (const given of [[...flag], [flag.join('=')]]) {
    const made = own.newcomer.run('.', ['npm', 'create', 'toolwright@latest', 'bare', ...given]);
    expect(made).toMatchObject({ stdout: expect.not.stringContaining('Done') });
    expect(made.stderr).toContain(`Write: npm create toolwright@latest bare -- ${words}\n`);
    expect(existsSync(file('bare'))).toBe(false);
  }
});

test('an app is made inside a monorepo, with the package manager of that', () => {
  for (const [name, text] of [
    ['package.json', '{ "name": "shop", "private": true }'],
    ['pnpm-workspace.yaml', 'packages: ["apps/*"]'],
  ] as const) {
    mkdirSync(file('shop'), { recursive: true });
    writeFileSync(file('shop', name), text);
  }
  const added = own.newcomer.run('shop', ['pnpm', 'add', '-w', '--save-dev', '@toolwright/cli']);
  expect(added).toMatchObject({ status: 0 });
  const words: [string, ...string[]] = ['node_modules/.bin/toolwright', 'new', 'app', 'apps/orders', '--yes'];
  const made = own.newcomer.run('shop', words);
  expect(made).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^apps\/orders: 20 files\. Access: open to all programs on this machine/),
  });
  expect(made.stderr).toMatch(/# pass 2/);
  expect(existsSync(file('shop/apps/orders/package-lock.json'))).toBe(false);
  expect(read('shop/pnpm-lock.yaml')).toContain('apps/orders:');
});

function makeFromFlags(): void {
  const flags = ['--transport', 'both', '--sign-in', 'jwt', '--db', 'pglite'];
  const made = own.newcomer.run('.', ['npm', 'create', 'toolwright@latest', 'asked', '--', ...flags]);
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
