import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@toolwright/core';
import type { Page } from 'playwright-core';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
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
import { onStage } from './on-stage.js';

/** Panes of which there are pictures. Those of calls come from `console-pictures.test.ts`. */
const pictured = ['Traffic', 'Explain', 'State'];

/** Takes a picture of a tool with the view of its result beside it. */
async function takeViewWithCode(page: Page): Promise<void> {
  const shown: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The page hears of it from its host.
    await page.frameLocator('iframe.app-frame').locator(`:root[data-theme="${colorScheme}"]`).waitFor();
    const picture = await page.locator('iframe.app-frame').screenshot();
    shown.push(`data:image/png;base64,${picture.toString('base64')}`);
  }
  const tool = /^ {2}@McpTool[^]*?^ {2}\}\n/m.exec(
    readFileSync(join(__dirname, '../src/charts/chart-tools.ts'), 'utf8'),
  )!;
  const stage = await page.context().newPage();
  await stage.setViewportSize({ width: 1080, height: 390 });
  await stage.setContent(onStage('view-with-code.html'));
  await stage.evaluate(`show(${JSON.stringify([tool[0].replace(/^ {2}/gm, ''), ...shown])})`);
  await takePicture(stage, 'view-with-code');
  await stage.close();
  await page.emulateMedia({ colorScheme: 'light' });
}

describeInChromium('the console of the gallery', (browser) => {
  let folder: string;
  let server: McpServer;
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    folder = temporaryFolder();
    server = await createGalleryServer(readSettings({ GALLERY_AUDIT: join(folder, 'audit.jsonl') }));
    console = await ConsoleUnderTest.start([server]);
  });

  afterAll(async () => {
    await console.close();
    await server.close();
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
      if (colorScheme === 'light') await takeViewWithCode(page);

      const titles = await tour(page, async (title) => {
        if (pictured.includes(title)) await takePicture(page, `console-${title.toLowerCase()}`);
      });
      expect(titles).toEqual([
        'Tools',
        'Add to host',
        'Chat',
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
