import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { DevProcess } from './support/dev-process.js';
import { DevProject } from './support/dev-project.js';

describeInChromium('the page of dev', (browser: () => Browser) => {
  let project: DevProject;
  let dev: DevProcess;
  let page: Page;
  let refused: string[];

  // A dev takes seconds to start. So the tests share one, in this order, and the last ones start it again.
  beforeAll(async () => {
    project = new DevProject();
    dev = new DevProcess(project);
    await dev.url();
  });

  beforeEach(async () => {
    page = await (await browser().newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(120_000);
    refused = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
  });

  afterEach(async () => {
    await page.context().close();
  });

  afterAll(async () => {
    await dev?.stop('SIGKILL');
    project.remove();
  });

  const address = () => /^console: (\S+)$/m.exec(dev.printed)![1]!;
  const open = async () => {
    await page.goto(address());
    await page.getByRole('link', { name: 'find_notes' }).waitFor();
  };

  test('no request of a visit is refused', async () => {
    await open();
    for (const pane of [
      'calls',
      'traffic',
      'explain',
      'state',
      'audit',
      'contract',
      'evaluations',
      'sign-in',
      'hosts',
    ]) {
      await page.evaluate(`location.hash = '#/${pane}'`);
      await page.locator('h1').waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle').catch(() => undefined);
    }
    await page.getByRole('heading', { level: 1, name: 'Add to host' }).waitFor({ state: 'attached' });
    expect(refused).toEqual([]);
  });

  test('a wrong address is answered with a page that says what to do', async () => {
    for (const path of ['/', '/?token=wrong']) {
      const answer = await page.goto(new URL(path, address()).href);
      expect(answer!.status()).toBe(401);
      await page.getByText('toolwright dev --open').waitFor();
      expect(await page.locator('body').innerText()).not.toContain('{');
      expect(await findBarriers(page)).toEqual([]);
    }
  });

  test('an unexpected error shows its message, its stack and its line, in the result and in the trace', async () => {
    project.edit(
      'src/note-tools.ts',
      'return { count: this.notes.texts.push(',
      "if (text === 'boom')\n      throw new TypeError('the pen is empty');\n    return { count: this.notes.texts.push(",
    );
    await dev.says(/replaced NoteTools/);
    const line =
      project
        .read('src/note-tools.ts')
        .split('\n')
        .findIndex((each) => each.includes('the pen')) + 1;
    await open();
    await page.getByRole('link', { name: 'add_note' }).click();
    await page.getByLabel('text').fill('boom');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const failure = page.getByRole('region', { name: 'What went wrong' });
    const shows = async () => {
      await failure.waitFor();
      const text = await failure.innerText();
      expect(text).toContain('TypeError: the pen is empty');
      expect(text).toContain(`src/note-tools.ts:${line}:`);
      expect(await failure.locator('.failure-line').innerText()).toContain('the pen is empty');
      expect(text).not.toContain('dist/note-tools.js');
    };
    await shows();
    await page.getByRole('link', { name: 'trace' }).click();
    const timeLine = page.getByRole('list', { name: /^Time line of / });
    await timeLine
      .getByRole('listitem')
      .filter({ hasText: 'NoteTools.addNote' })
      .getByText('failed')
      .waitFor();
    await shows();
    expect(await findBarriers(page)).toEqual([]);
    const opened = page.waitForRequest((request) => request.url().endsWith('/api/openSource'));
    await failure.getByRole('button').first().click();
    expect((await opened).postDataJSON()).toEqual({
      location: expect.stringMatching(new RegExp(`^src/note-tools\\.ts:${line}:\\d+$`)) as string,
    });
    // The caller learns nothing, and the project has no new files.
    expect(() => project.read('dist/note-tools.js.map')).toThrow();
    expect(project.read('dist/note-tools.js')).not.toContain('sourceMappingURL');
  });

  test('an error of the compiler is seen on every pane until it is repaired', async () => {
    await open();
    project.edit('src/note-tools.ts', 'limit: integer = 10', 'limit: integer = "ten"');
    const trouble = page.getByRole('alert', { name: 'The project does not compile' });
    await trouble.waitFor();
    expect(await trouble.innerText()).toMatch(/1 error[^]*note-tools\.ts:\d+:\d+[^]*TS2322/);
    for (const pane of ['Calls', 'Hosts', 'Contract']) {
      await page.evaluate(`location.hash = '#/${pane.toLowerCase()}'`);
      await trouble.waitFor();
      await page.getByRole('banner').getByText('1 error').waitFor();
    }
    expect(await page.title()).toMatch(/^\(1\) /);
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    project.edit('src/note-tools.ts', 'limit: integer = "ten"', 'limit: integer = 10');
    await trouble.waitFor({ state: 'detached' });
    expect(await page.title()).not.toMatch(/^\(/);
  });

  test('a page that is open goes on when dev starts again, at the same address', async () => {
    await open();
    const before = address();
    await dev.stop();
    await page.getByText('reconnecting…').waitFor();
    project.edit('src/note-tools.ts', "name: 'find_notes'", "name: 'look_for_notes'");
    dev = new DevProcess(project);
    await dev.url();
    expect(address()).toBe(before);
    await page.getByRole('link', { name: 'look_for_notes' }).waitFor();
    await page.getByText('reconnecting…').waitFor({ state: 'detached' });
    const kept = project.path('.toolwright/console.json');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    expect(project.read('.toolwright/.gitignore')).toBe('*\n');

    // What others may have read opens nothing any more.
    await dev.stop();
    chmodSync(kept, 0o644);
    dev = new DevProcess(project);
    await dev.url();
    expect(address()).not.toBe(before);
    expect(readFileSync(kept, 'utf8')).not.toContain(new URL(before).searchParams.get('token'));
  });

  test('--open starts the browser with an address that works once, and is not the lasting one', async () => {
    await dev.stop();
    const browserProgram = project.path('browser.sh');
    writeFileSync(
      browserProgram,
      `#!/bin/sh\nprintf %s "$1" > ${project.path('opened.part')}\nmv ${project.path('opened.part')} ${project.path('opened')}\n`,
      { mode: 0o755 },
    );
    process.env['BROWSER'] = browserProgram;
    dev = new DevProcess(project, '--open');
    delete process.env['BROWSER'];
    await dev.url();
    let opened = '';
    while (opened === '') {
      await new Promise((resolve) => setTimeout(resolve, 20));
      opened = read(project.path('opened'));
    }
    expect(opened).not.toBe(address());
    await page.goto(opened);
    await page.getByRole('link', { name: 'look_for_notes' }).waitFor();
    expect((await page.goto(opened))!.status()).toBe(401);
  });
});

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
