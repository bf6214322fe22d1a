import { createMcpServer, type McpServer } from '@toolwright/core';
import type { Browser, Page } from 'playwright-core';
import { silentLogger } from '@toolwright/core/ports';
import { describeInChromium } from '../../../../.ci/test/support/chromium.js';
import { ConsoleUnderTest, openPage } from '../../../console/test/support/console-under-test.js';
import { EmulatedHost } from '../../src/hosts/emulated-host.js';
import { hostProfiles } from '../../src/hosts/host-profiles.js';
import { sealDocument } from '../../src/safety/seal-document.js';
import { attackIn, attacks, hostileResult, wayCount } from './attacks.js';
import { handshake, noServer, page, viewOf } from './hand-made-views.js';

/** A page that shows all that it gets of its tool and of its result, as text. */
const careful = page(
  `${handshake
    .replace('const { city } = structuredContent ?? JSON.parse(content[0].text);', '')
    .replace(
      "document.getElementById('city').textContent = city;",
      "document.getElementById('city').textContent = JSON.stringify(data.params) + JSON.stringify(globalThis.tool); document.title = 'done';",
    )
    .replace(
      'const { theme, styles } =',
      'globalThis.tool = data.result.hostContext.toolInfo?.tool; const { theme, styles } =',
    )}`,
);
/** The same with the mistake that pages must not make. */
const careless = careful.replace(
  "getElementById('city').textContent = ",
  "getElementById('city').innerHTML = content.map(({ text, resource }) => text ?? resource?.text).join('') + ",
);

describeInChromium('markup of strangers', (browser: () => Browser) => {
  describe('in the host of the console', () => {
    let server: McpServer;
    let console: ConsoleUnderTest;
    const ran = new Set<string>();
    let seen = 0;

    // One page, and one visit for each way: all places at once.
    beforeAll(async () => {
      server = await createMcpServer({
        name: 'hostile',
        version: '1.0.0',
        services: [],
        logger: silentLogger,
      });
      server.resources.add({ uri: 'ui://hostile/page', name: 'page', ui: {}, handler: () => careful });
      for (let index = 0; index < wayCount; index++) {
        const markup = attackIn(index);
        server.tools.add({
          name: `tool_${index}`,
          title: markup.name,
          description: markup.description,
          ui: 'ui://hostile/page',
          annotations: { readOnlyHint: true },
          handler: () => hostileResult(markup),
        });
      }
      console = await ConsoleUnderTest.start([server]);
      const { page: tab } = await openPage(browser(), console.url);
      await tab.exposeFunction('pwned', (name: string) => void ran.add(name));
      for (let index = 0; index < wayCount; index++) {
        await tab.evaluate(`location.hash = '#/tools/tool/tool_${index}'`);
        await tab.locator('header code', { hasText: `tool_${index}` }).waitFor();
        await tab.getByRole('button', { name: 'Call', exact: true }).click();
        await tab.frameLocator('iframe').getByText('structuredContent').waitFor();
        for (const name of ['Table', 'Data', 'Content (7)', 'Raw']) {
          await tab.getByRole('tab', { name }).click();
          seen++;
        }
        expect(await tab.locator('a[href^="javascript:" i]').count()).toBe(0);
      }
      await tab.context().close();
    });
    afterAll(async () => {
      await console.close();
      await server.close(0);
    });

    test.each(attacks.map(({ name }) => name))('runs nothing: %s', (name) => {
      expect(seen).toBe(4 * wayCount);
      expect([...ran]).not.toContain(name);
    });
  });

  describe('in the emulation of ChatGPT', () => {
    let tab: Page;
    let host: EmulatedHost;
    const ran = new Set<string>();
    const profile = hostProfiles.find(({ id }) => id === 'chatgpt')!;

    async function showAll(html: string) {
      ran.clear();
      for (let index = 0; index < wayCount; index++) {
        const markup = attackIn(index);
        const plain = viewOf(html);
        const tool = { ...plain.tool, title: markup.name, description: markup.description };
        const view = { ...plain, tool, result: hostileResult(markup), input: { city: markup.result } };
        const { frame, session } = await host.show({
          profile,
          view,
          theme: 'light',
          width: 480,
          server: noServer,
        });
        await session.initialized;
        await frame.waitForFunction(`document.title === 'done'`);
        // What the browser began to load because of the markup has failed when this picture has.
        await frame.evaluate(
          `new Promise((resolve) => { const last = new Image(); last.onerror = resolve; last.src = 'x'; })`,
        );
      }
    }

    beforeAll(async () => {
      tab = await browser().newPage();
      await tab.exposeFunction('pwned', (name: string) => void ran.add(name));
      host = await EmulatedHost.on(tab);
      await showAll(careful);
    });
    afterAll(() => tab.close());

    const carefully = new Set<string>();
    beforeAll(() => ran.forEach((name) => carefully.add(name)));
    test.each(attacks.map(({ name }) => name))('runs nothing: %s', (name) => {
      expect([...carefully]).not.toContain(name);
    });

    test('would run, if a page inserted it as markup; a sealed page runs nothing even then', async () => {
      await showAll(careless);
      expect([...ran]).toEqual(expect.arrayContaining(['result2', 'markdown2', 'html6']));
      await showAll(sealDocument(careless));
      expect([...ran]).toEqual([]);
    });
  });
});
