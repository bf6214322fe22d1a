import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@toolwright/client';
import type { McpServer } from '@toolwright/core';
import type { Browser } from 'playwright-core';
import { describeInChromium } from '../../../.ci/test/support/chromium.js';
import { sampleOf } from '../../../.ci/test/support/proof.js';
import { ConsoleUnderTest, openPage } from './support/console-under-test.js';
import { evaluation } from './support/evaluation.js';
import { exampleServer } from './support/example-server.js';
import { tour } from './support/tour.js';

const source = readFileSync(join(__dirname, '../web/src/shell/panes.tsx'), 'utf8');
const every = [...source.matchAll(/^ {4}title: '([^']+)'/gm)].map(([, title]) => title!);

const sizes = [
  ['a phone', { width: 390, height: 700 }],
  // Browsers zoom by giving the page fewer pixels of its own: this is a window of 1280 by 800 pixels.
  ['200 % zoom', { width: 640, height: 400 }],
] as const;

const screens = sizes.flatMap(([name, viewport]) =>
  (['light', 'dark'] as const).map((scheme) => [name, scheme, viewport] as const),
);
/** Each size and each scheme once. */
const chosen = ['a phone, light', '200 % zoom, dark'];

describeInChromium('every pane of the console', (browser: () => Browser) => {
  let server: McpServer;
  let console: ConsoleUnderTest;

  beforeAll(async () => {
    server = await exampleServer();
    console = await ConsoleUnderTest.start([server], {
      access: ['read', 'call', 'change', 'project'],
      project: {
        contract: () => ({
          problems: [{ severity: 'error', code: 'TW_TYPE', message: 'No schema.', location: 'src/a.ts:3:4' }],
          lintProblems: [{ severity: 'warning', code: 'verb-first', message: 'No verb.', tool: 'greet' }],
          tokens: { total: 1_300, budget: 1_000, tools: [{ name: 'echo_all', tokens: 1_300 }] },
          changes: [{ tool: 'prompt greet', kind: 'breaking', message: 'the prompt was removed' }],
          lockFile: 'mcp.lock.json',
        }),
        origins: () => [],
        evaluations: () => [evaluation],
        failure: () => null,
        openSource: () => ({}),
        signIn: () => null,
        startSignIn: ({ url }) => ({ url }),
      },
    });
    const client = await connect(server);
    await client.call('list_rows', {});
    await client.call('close_books', {}).catch(() => undefined);
    await client.close();
  });

  afterAll(async () => {
    await console.close();
    await server.close(0);
  });

  test.each(sampleOf(screens, ([name, scheme]) => chosen.includes(`${name}, ${scheme}`)))(
    'has no barriers and is no wider than the screen: %s, %s',
    async (_name, colorScheme, viewport) => {
      const { page, complaints } = await openPage(browser(), console.url, { viewport, colorScheme });
      const wide: string[] = [];
      const titles = await tour(page, async (title) => {
        if ((await page.evaluate('document.documentElement.scrollWidth')) !== viewport.width)
          wide.push(title);
      });
      expect(titles).toEqual(every);
      expect(wide).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});
