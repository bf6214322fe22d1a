import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import type { StartedApp } from './support/newcomer.js';
import { takeNote } from './support/official-client.js';
import { callTool, openConsole } from './support/printed-console.js';
import { readGuide } from './support/read-guide.js';
import { beRefused } from './support/refused-caller.js';
import { sizeOf } from './support/size-of.js';
import { withNewcomer } from './support/with-newcomer.js';

// What the command that makes an app installs. `every-package.test.ts` installs all packages of a release.
const own = withNewcomer(['create-toolwright', 'cli', 'core', 'http', 'testing']);

const file = (...path: string[]) => join(own.newcomer.home, ...path);
const read = (...path: string[]) => readFileSync(file(...path), 'utf8');

describe('the first app of a newcomer, with plain npm in an empty folder', () => {
  let dev: StartedApp;

  test('is made, installed, built, tested and served by the three commands of the guide', async () => {
    const guide = join(__dirname, '../../../docs/getting-started.md');
    const [block] = readGuide(guide, '## The short way');
    expect(block!.text.trim().split('\n')).toHaveLength(3);
    dev = await own.newcomer.type('.', block!.text, { PORT: '0' });
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
    const app = await own.newcomer.start('my-server', { PORT: '0' });
    await beRefused(app.url);
    await app.stop();
    const line = app
      .printed()
      .split('\n')
      .find((each) => each.startsWith('{"level":"warn"') && each.includes(repeated))!;
    expect(JSON.parse(line)).toMatchObject({ message: repeated, reason: expect.any(String) });
  });

  test('passes what its workflow runs', () => {
    const { jobs } = parse(read('my-server/.github/workflows/ci.yml'));
    const commands = (jobs.test.steps as { run?: string }[]).flatMap(({ run }) => run ?? []);
    expect(commands).toContain('npm test');
    for (const command of commands)
      expect({ command, ...own.newcomer.run('my-server', ['sh', '-c', command]) }).toMatchObject({
        command,
        status: 0,
      });
    const lint = own.newcomer.run('my-server', ['npx', '--no', 'toolwright', 'lint', '--strict']);
    expect(lint).toMatchObject({ status: 0, stdout: '' });
  });

  test('starts, and answers the official client on both eras', async () => {
    const app = await own.newcomer.start('my-server', { PORT: '0' });
    try {
      expect(await takeNote(app.url)).toEqual({ notes: [{ id: 1, text: 'Buy milk.' }] });
      expect(await takeNote(app.url, { era: 'legacy' })).toEqual({ notes: [{ id: 2, text: 'Buy milk.' }] });
    } finally {
      await app.stop();
    }
  });

  test('grows by a tool, and passes the tests of both', () => {
    const added = own.newcomer.run('my-server', [
      'npx',
      '--no',
      'toolwright',
      'new',
      'tool',
      'count_words',
      '--yes',
    ]);
    expect(added).toMatchObject({ status: 0, stderr: '' });
    const tested = own.newcomer.run('my-server', ['npm', 'test']);
    expect(tested).toMatchObject({ status: 0, stdout: expect.stringMatching(/# pass 4\n# fail 0/) });
  });

  describe('while dev runs again', () => {
    let app: StartedApp;

    beforeAll(async () => {
      app = await own.newcomer.start('my-server', { PORT: '0' }, 'dev');
    });

    afterAll(() => app?.stop());

    describeInChromium('in the console,', (browser) => {
      test('sees and calls its own tool, without another command', async () => {
        const page = await openConsole(browser(), app);
        await page.getByRole('link', { name: 'count_words' }).click();
        await page.getByLabel('text').fill('Buy milk.');
        expect(await callTool(page)).toContain('"words": 2');
        await page.close();
      });
    });

    test('takes over what is edited', () => {
      const source = file('my-server/src/note-tools.ts');
      const list = () =>
        own.newcomer.run('my-server', ['npx', '--no', 'toolwright', 'list', '--url', app.url.href]).stdout;
      expect(list()).toContain('  Add a note.');
      writeFileSync(source, readFileSync(source, 'utf8').replace('Add a note.', 'Write a note down.'));
      while (!list().includes('  Write a note down.')) continue;
    });
  });

  test('hears from diff when a change breaks its callers', () => {
    expect(own.newcomer.run('my-server', ['npx', '--no', 'toolwright', 'lock'])).toMatchObject({ status: 0 });
    const source = file('my-server/src/note-tools.ts');
    writeFileSync(source, readFileSync(source, 'utf8').replace('@maximum 50', '@maximum 20'));
    expect(own.newcomer.run('my-server', ['npm', 'run', 'build'])).toMatchObject({ status: 0 });
    const { status, stdout } = own.newcomer.run('my-server', ['npx', '--no', 'toolwright', 'diff']);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^breaking +find_notes\/input\/properties\/limit +maximum was 50, is 20\n$/);
  });

  test('needs little in production', () => {
    expect(own.newcomer.run('my-server', ['npm', 'prune', '--omit=dev'])).toMatchObject({ status: 0 });
    expect(sizeOf(file('my-server/node_modules'))).toBeLessThan(24 * 2 ** 20);
    expect(own.newcomer.run('my-server', ['npm', 'ls', 'typescript']).stdout).toContain('(empty)');
  });
});
