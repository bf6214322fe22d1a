import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import type { Locator, Page } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import {
  ConsoleUnderTest,
  openPage,
  schemes,
} from '../../../packages/console/test/support/console-under-test.js';
import { tour } from '../../../packages/console/test/support/tour.js';
import { createGalleryServer } from '../src/gallery-server.js';
import { readSettings } from '../src/settings.js';

/** Some pictures of the guide are made here, with UPDATE_PICTURES=1; the others by `console-pictures.test.ts`. */
const pictures = join(__dirname, '../../../docs/images');
const pictured = ['Traffic', 'Explain', 'State'];

describeInChromium('the console of the gallery', (browser) => {
  let folder: string;
  let server: McpServer;
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gallery-console-'));
    server = await createGalleryServer(readSettings({ GALLERY_AUDIT: join(folder, 'audit.jsonl') }));
    console = await ConsoleUnderTest.start([server]);
  });

  afterAll(async () => {
    await console.close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test.each(schemes)(
    'every pane works, without barriers and without a complaint (%s)',
    async (colorScheme) => {
      const { page, complaints } = await openPage(browser(), console.url, { colorScheme });
      await page.getByRole('link', { name: 'chart_weather' }).click();
      await page.getByRole('tab', { name: 'Schema' }).click();
      await page.getByRole('tab', { name: 'Call' }).click();
      await page.getByRole('button', { name: 'JSON' }).click();
      const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
      await editor.fill('{"city":"Seattle","year":2014}');
      await editor.press('Control+Enter');
      await page.getByRole('tab', { name: 'App' }).waitFor();
      await page.frameLocator('iframe').locator('.month').first().waitFor();
      await picture(page, 'console-tools', colorScheme);
      await picture(page.locator('iframe.app-frame'), 'view-chart', colorScheme);

      const titles = await tour(page, async (title) => {
        if (pictured.includes(title)) await picture(page, `console-${title.toLowerCase()}`, colorScheme);
      });
      expect(titles).toEqual([
        'Tools',
        'Calls',
        'Traffic',
        'Explain',
        'State',
        'Audit',
        'Usage',
        'Access',
        'Search',
        'Keys',
        'Add to host',
        'Skills',
        'Views',
        'Mounts',
      ]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});

async function picture(shown: Page | Locator, name: string, colorScheme: string): Promise<void> {
  if (process.env['UPDATE_PICTURES'] !== '1' || colorScheme !== 'light') return;
  await shown.screenshot({ path: join(pictures, `${name}.png`) });
}
