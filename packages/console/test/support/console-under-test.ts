import type { McpServer } from '@toolwright/core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { sampleOf } from '../../../../.ci/test/support/proof.js';
import { DevConsole, Hub, Inside, type Access, type HubOptions, type Overview } from '../../src/index.js';

/**
 * The colours in which the test of a pane looks for barriers. In `pnpm check:all`, all-panes.test.ts looks at each pane in dark
 * colours, and the tests of single panes do so in `pnpm proof`.
 */
export const schemes = sampleOf(['light', 'dark'] as const, (scheme) => scheme === 'light');

const opened = closedAfterEach();

/** The console of some servers in this process, as `toolwright dev` would serve it. */
export class ConsoleUnderTest {
  private constructor(
    readonly hub: Hub,
    readonly inside: Inside,
    private readonly console: DevConsole,
    /** With the token of the run. */
    readonly url: string,
  ) {}

  /** @param options.overview members that replace those of the default overview */
  static async start(
    servers: readonly McpServer[],
    options: { overview?: Partial<Overview> } & Partial<Pick<HubOptions, 'project' | 'access'>> = {},
  ): Promise<ConsoleUnderTest> {
    const { project, access = ['read', 'call', 'change'] satisfies Access[] } = options;
    const inside = new Inside((event) => hub.hear(event));
    const overview = (): Overview => ({
      servers: inside.summaries(),
      access,
      app: 'running',
      toolwright: '0.0.0',
      ...options.overview,
    });
    const hub = new Hub({
      access,
      askInside: (method, params) => inside.ask(method, params),
      overview,
      ...(project && { project }),
    });
    for (const server of servers) inside.add(server);
    inside.watch();
    const console = new DevConsole(hub);
    return new ConsoleUnderTest(hub, inside, console, await console.listen());
  }

  /** The same for one test, after which it is closed, with its servers. */
  static async forTest(
    ...[servers, options]: Parameters<typeof ConsoleUnderTest.start>
  ): Promise<ConsoleUnderTest> {
    const console = await ConsoleUnderTest.start(servers, options);
    opened.push(...servers.map((server) => ({ close: () => server.close(0) })), console);
    return console;
  }

  /** Opens its page in a browser profile of its own, which is closed after the test. */
  async show(browser: Browser, options?: BrowserContextOptions): Promise<OpenPage> {
    const shown = await openPage(browser, this.url, options);
    opened.push(shown.page.context());
    return shown;
  }

  async close(): Promise<void> {
    await this.console.close();
    this.inside.rest();
  }
}

/** A page, and everything that it complained about. */
export interface OpenPage {
  readonly page: Page;
  /** Errors of the console and of scripts, and requests that failed. Empty is what a test expects. */
  readonly complaints: string[];
}

/** Opens a page in a browser profile of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  // Less than a test may take, so that it fails with what it waited for.
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => {
    // A page that is left ends its stream of events, and the page gives up questions that it asks anew.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    if (!request.url().endsWith('/api/events')) complaints.push(`${request.url()} failed`);
  });
  await page.goto(url);
  return { page, complaints };
}
