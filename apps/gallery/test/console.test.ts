import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { pictureScale, takePicture } from '../../../.ci/test/support/pictures.js';
import {
  ConsoleUnderTest,
  openPage,
  schemes,
} from '../../../packages/console/test/support/console-under-test.js';
import { tour } from '../../../packages/console/test/support/tour.js';
import { createGalleryServer } from '../src/gallery-server.js';
import { readSettings } from '../src/settings.js';

/** Panes of which there are pictures. Those of calls come from `console-pictures.test.ts`. */
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
      const { page, complaints } = await openPage(browser(), console.url, {
        colorScheme,
        ...pictureScale,
      });
      await page.getByRole('link', { name: 'chart_weather' }).click();
      await page.getByRole('tab', { name: 'Schema' }).click();
      await page.getByRole('tab', { name: 'Call' }).click();
      await page.getByRole('button', { name: 'JSON' }).click();
      const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
      await editor.fill('{"city":"Seattle","year":2014}');
      await editor.press('Control+Enter');
      await page.getByRole('tab', { name: 'App' }).waitFor();
      await page.frameLocator('iframe').locator('.month').first().waitFor();
      await takePicture(page, 'console-tools');
      await takePicture(page, 'view-chart', page.locator('iframe.app-frame'));

      const titles = await tour(page, async (title) => {
        if (pictured.includes(title)) await takePicture(page, `console-${title.toLowerCase()}`);
      });
      expect(titles).toEqual([
        'Tools',
        'Add to host',
        'Calls',
        'Traffic',
        'State',
        'Audit',
        'Usage',
        'Explain',
        'Access',
        'Search',
        'Views',
        'Keys',
        'Mounts',
        'Skills',
      ]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});
