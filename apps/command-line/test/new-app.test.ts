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
import type { Browser, Page } from 'playwright-core';
import { parse } from 'yaml';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { takeNote, type AppAddress } from './support/official-client.js';
import { startIssuer } from './support/issuer.js';
import { Newcomer, type StartedApp } from './support/newcomer.js';
import { readGuide } from './support/read-guide.js';
import { hasTerminal, keys, PseudoTerminal } from './support/pseudo-terminal.js';
import { beRefused } from './support/refused-caller.js';
import { Registry } from './support/registry.js';
import { sizeOf } from './support/size-of.js';
import { testLongWay } from './support/test-long-way.js';

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
  let dev: StartedApp;

  test('is made, installed, built, tested and served by the three commands of the guide', async () => {
    const guide = join(__dirname, '../../../docs/getting-started.md');
    const [block] = readGuide(guide, '## The short way');
    expect(block!.text.trim().split('\n')).toHaveLength(3);
    dev = await newcomer.type('.', block!.text, { PORT: '0' });
    const printed = dev.printed();
    expect(printed).toMatch(/: npm install\n[^]*\nnpm install took [\d.]+ s\.\n/);
    expect(printed).toMatch(/: npm run test\n[^]*# pass 2\n# fail 0\n[^]*\nnpm run test took [\d.]+ s\.\n/);
    expect(printed).toContain('cd my-server\n  npm run dev\n');
  });

  describeInChromium('in the console, whose address it prints,', (browser) => {
    test('calls a tool', async () => {
      const page = await openConsole(browser(), dev);
      await page.getByRole('link', { name: 'add_note' }).click();
      await page.getByLabel('text').fill('Buy milk.');
      expect(await callTool(page)).toContain('"text": "Buy milk."');
      await page.close();
    });
  });

  test('logs in lines for people in development, and as JSON in production', async () => {
    const repeated = 'Requests of a caller are refused repeatedly';
    await beRefused(dev.url);
    await dev.stop();
    expect(dev.printed()).toContain(`\nwarning: ${repeated} (reason: `);
    const app = await newcomer.start('my-server', { PORT: '0' });
    await beRefused(app.url);
    await app.stop();
    const [line] = /^\{"level":"warn".*$/m.exec(app.printed())!;
    expect(JSON.parse(line)).toMatchObject({ message: repeated, reason: expect.any(String) });
  });

  test('passes what its workflow runs', () => {
    const { jobs } = parse(read('my-server/.github/workflows/ci.yml'));
    const commands = (jobs.test.steps as { run?: string }[]).flatMap(({ run }) => run ?? []);
    expect(commands).toContain('npm test');
    for (const command of commands)
      expect({ command, ...newcomer.run('my-server', ['sh', '-c', command]) }).toMatchObject({
        command,
        status: 0,
      });
    const lint = newcomer.run('my-server', ['npx', '--no', 'toolwright', 'lint', '--strict']);
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
    const added = newcomer.run('my-server', [
      'npx',
      '--no',
      'toolwright',
      'new',
      'tool',
      'count_words',
      '--yes',
    ]);
    expect(added).toMatchObject({ status: 0, stderr: '' });
    const tested = newcomer.run('my-server', ['npm', 'test']);
    expect(tested).toMatchObject({ status: 0, stdout: expect.stringMatching(/# pass 4\n# fail 0/) });
  });

  describeInChromium('in the console,', (browser) => {
    test('sees and calls its own tool, without another command', async () => {
      const app = await newcomer.start('my-server', { PORT: '0' }, 'dev');
      try {
        const page = await openConsole(browser(), app);
        await page.getByRole('link', { name: 'count_words' }).click();
        await page.getByLabel('text').fill('Buy milk.');
        expect(await callTool(page)).toContain('"words": 2');
        await page.close();
      } finally {
        await app.stop();
      }
    });
  });

  test('takes over what is edited while it runs', async () => {
    const app = await newcomer.start('my-server', { PORT: '0' }, 'dev');
    const source = file('my-server/src/note-tools.ts');
    const list = () =>
      newcomer.run('my-server', ['npx', '--no', 'toolwright', 'list', '--url', app.url.href]).stdout;
    try {
      expect(list()).toContain('  Add a note.');
      writeFileSync(source, readFileSync(source, 'utf8').replace('Add a note.', 'Write a note down.'));
      while (!list().includes('  Write a note down.')) continue;
    } finally {
      await app.stop();
    }
  });

  test('hears from diff when a change breaks its callers', () => {
    expect(newcomer.run('my-server', ['npx', '--no', 'toolwright', 'lock'])).toMatchObject({ status: 0 });
    const source = file('my-server/src/note-tools.ts');
    writeFileSync(source, readFileSync(source, 'utf8').replace('@maximum 50', '@maximum 20'));
    expect(newcomer.run('my-server', ['npm', 'run', 'build'])).toMatchObject({ status: 0 });
    const { status, stdout } = newcomer.run('my-server', ['npx', '--no', 'toolwright', 'diff']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^breaking +find_notes\/input\/properties\/limit +maximum was 50, is 20\n$/);
  });

  test('needs little in production', () => {
    expect(newcomer.run('my-server', ['npm', 'prune', '--omit=dev'])).toMatchObject({ status: 0 });
    expect(sizeOf(file('my-server/node_modules'))).toBeLessThan(24 * 2 ** 20);
    expect(newcomer.run('my-server', ['npm', 'ls', 'typescript']).stdout).toContain('(empty)');
  });
});

describe('a newcomer without a template', () => testLongWay(() => registry));

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
    const commands = ['npm create toolwright@latest signed -- --auth jwt', 'cd signed', 'npm run dev'];
    const app = await newcomer.type('.', commands.join('\n'), { PORT: '0' });
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
  expect(made).toMatchObject({ status: 0, stdout: 'apps/orders: 19 files\n' });
  expect(made.stderr).toMatch(/# pass 2/);
  expect(existsSync(file('shop/apps/orders/package-lock.json'))).toBe(false);
  expect(read('shop/pnpm-lock.yaml')).toContain('apps/orders:');
});

function makeFromFlags(): void {
  const flags = ['--transport', 'both', '--auth', 'jwt', '--db', 'pglite'];
  const made = newcomer.run('.', ['npm', 'create', 'toolwright@latest', 'asked', '--', ...flags]);
  expect(made).toMatchObject({ status: 0 });
}

/** Opens the address that `dev` prints, as a person does who clicks on it. */
async function openConsole(browser: Browser, app: StartedApp): Promise<Page> {
  const [, address] = /^console: (http\S+)$/m.exec(app.printed())!;
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(address!);
  return page;
}

/** Calls the open tool. Gives what it returned. */
async function callTool(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  return page.getByRole('group', { name: 'Structured content' }).innerText();
}

/** The command in an app's `.vscode/mcp.json`, as VS Code runs it. */
function hostEntry(app: string): AppAddress {
  const { servers } = JSON.parse(read(app, '.vscode/mcp.json')) as {
    servers: Record<string, { command: string; args: string[] }>;
  };
  const { command, args } = servers[app]!;
  return { command, args: args.map((word) => word.replace('${workspaceFolder}', file(app))) };
}
