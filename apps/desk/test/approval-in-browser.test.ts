import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { findBarriers } from '../../../.ci/test/support/accessibility.js';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { builtFile, StartedApp } from '../../pages/test/started-app.js';
import { Agent } from './support/agent.js';

describeInChromium('The page on which a refund of the desk is approved', (browser) => {
  const data = temporaryFolder();
  let app: StartedApp;
  let ann: Agent;
  let opened: (url: string) => void;

  beforeAll(async () => {
    app = await StartedApp.start(builtFile('desk', 'main.js'), { DESK_DATA: data });
    ann = await Agent.signIn(app.url.href, 'ann', { onPage: async (url) => opened(url) });
  });
  afterAll(async () => {
    await ann?.close();
    expect(await app.stop()).toBe(0);
  });

  it('shows what will run, and pays back when another person of the tenant approves', async () => {
    const url = new Promise<string>((resolve) => (opened = resolve));
    const refund = ann.data('refund', { ticketId: 'ACME-2', invoice: 'A-1002', cents: 400 });
    const context = await browser().newContext({ viewport: { width: 390, height: 700 } });
    const page = await context.newPage();
    await page.goto(await url);
    await page.locator('button[value="bea"]').click();
    await page.waitForURL(await url);
    expect(await page.title()).toBe('Approve: refund');
    expect(await page.textContent('main')).toContain('A-1002');
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    expect(await refund).toMatchObject({ number: 'A-1002', refunded: 400 });
    await context.close();
  });
});
