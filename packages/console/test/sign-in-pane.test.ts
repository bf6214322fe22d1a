import { join } from 'node:path';
import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser, Page } from 'playwright-core';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { SignInAnswers } from '../../cli/src/dev/console/sign-in-answers.js';
import { startDevIssuer, type DevIssuer } from '../../identity/src/dev.js';
import { startGuardedApp, type GuardedApp } from '../../identity/test/support/guarded-app.js';
import { ConsoleRefusal } from '../src/index.js';
import { ConsoleUnderTest, openPage, type OpenPage } from './support/console-under-test.js';
import { goTo } from './support/records.js';
import { quietProvider } from '../../identity/test/support/quiet-provider.js';

/** A project that has the package of the doctor. */
const directory = join(__dirname, '../../identity');

quietProvider();

describeInChromium('the pane of signing in', (browser: () => Browser) => {
  let app: GuardedApp;
  let issuer: DevIssuer;
  let server: McpServer;
  let console: ConsoleUnderTest;
  let answers: SignInAnswers;
  let opened: OpenPage;

  const open = async ({ resource }: { resource?: string } = {}) => {
    app = await startGuardedApp();
    issuer = await startDevIssuer({ resource: resource ?? app.endpoint });
    app.trust(issuer.issuer);
    server = await createMcpServer({ name: 'example', version: '1.0.0', services: [], audit: false });
    answers = new SignInAnswers({
      directory,
      refusal: (message) => new ConsoleRefusal(message),
      tell: (event) => console.hub.hear(event),
    });
    console = await ConsoleUnderTest.start([server], {
      access: ['read', 'project'],
      overview: { endpoint: app.endpoint },
      project: {
        contract: () => ({ problems: [], lintProblems: [], tokens: { total: 0, tools: [] } }),
        evaluations: () => [],
        origins: () => [],
        failure: () => null,
        openSource: () => ({}),
        ...answers.methods,
      },
    });
    opened = await openPage(browser(), console.url);
    await goTo(opened.page, 'sign-in');
    await opened.page.getByText('Find out why a sign-in fails').waitFor();
  };

  afterEach(async () => {
    await opened.page.context().close();
    await console.close();
    answers.close();
    await server.close();
    await app.close();
    await issuer.close();
  });

  const start = (page: Page) => page.getByRole('button', { name: 'Sign in' }).click();
  const steps = (page: Page) => page.getByRole('list', { name: 'Steps of the sign-in' }).locator('> li');

  /** Nobody is kept out, on a wide page and on a phone. */
  const expectNoBarriers = async (page: Page) => {
    expect(await findBarriers(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 700 });
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  test('a person signs in on the page of the issuer, and the time line has all steps', async () => {
    await open();
    const { page, complaints } = opened;
    expect(await page.getByLabel('The endpoint of the server').inputValue()).toBe(app.endpoint);
    await expectNoBarriers(page);
    await start(page);
    const link = page.getByRole('link', { name: 'Open the page of the issuer' });
    await link.waitFor();
    await expectNoBarriers(page);
    const [own] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await own.getByRole('button', { name: /ann/i }).click();
    await own.getByText('The doctor has the answer of the issuer.').waitFor();
    await own.close();
    await page.getByRole('heading', { name: 'The sign-in works' }).waitFor();
    const names = ['endpoint', 'metadata', 'discovery', 'registration', 'authorize', 'token', 'call'];
    expect(await steps(page).getByRole('heading').allInnerTexts()).toEqual(names);
    expect(await steps(page).locator('.badge').allInnerTexts()).toEqual(names.map(() => 'ok'));
    expect(await page.locator('body').innerText()).not.toMatch(/eyJ[\w-]+\.eyJ|code=/);
    await expectNoBarriers(page);
    expect(complaints).toEqual([]);
  });

  test('the step that fails is shown with whose fault it is and what to do, also after a reload', async () => {
    await open({ resource: 'http://127.0.0.1:1/other' });
    const { page, complaints } = opened;
    await start(page);
    await page.getByRole('heading', { name: 'The step “authorize” failed' }).waitFor();
    await page.getByText('resource-refused').waitFor();
    await page.getByText('who runs the issuer').waitFor();
    await page.getByText('Register the resource at the issuer.').waitFor();
    expect(await steps(page).last().locator('.badge').innerText()).toBe('failed');
    await expectNoBarriers(page);
    await page.reload();
    await page.getByRole('heading', { name: 'The step “authorize” failed' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('a new sign-in takes the place of one that waits', async () => {
    await open();
    const { page } = opened;
    await start(page);
    await page.getByRole('link', { name: 'Open the page of the issuer' }).waitFor();
    await page.getByLabel('The endpoint of the server').fill('http://127.0.0.1:2/mcp');
    await start(page);
    await page.getByRole('heading', { name: 'The step “endpoint” failed' }).waitFor();
  });

  test('why there can be no sign-in is said', async () => {
    await open();
    const { page } = opened;
    await page.getByLabel('The endpoint of the server').fill('ftp://127.0.0.1/mcp');
    await start(page);
    await page.getByRole('alert').getByText('The address is no URL.').waitFor();
    await expectNoBarriers(page);
  });
});
