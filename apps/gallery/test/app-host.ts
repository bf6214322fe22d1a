import { AppBridge, type McpUiResourceMeta } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { Transport } from '@modelcontextprotocol/client';
import type { Browser, Frame, Page } from 'playwright-core';
import type { CalledTool, RefereeClient } from '../../pages/test/referees.js';
import { contentSecurityPolicy } from './content-security-policy.js';

const HOST = 'https://host.test/';
const APP = 'https://app.test/';

/** What the host can do for pages. */
type Capabilities = ConstructorParameters<typeof AppBridge>[2];

/** The members of `notifications/progress`, without the token. */
type Progress = { progress: number; _meta?: Record<string, unknown> };

/** What the host hears of a call, and how it ends it. Clients may leave it alone. */
export interface Follower {
  readonly signal?: AbortSignal;
  readonly report?: (params: Progress) => void;
}

/** What the host needs of the client that speaks with the server. */
interface HostedClient extends Pick<RefereeClient, 'listTools' | 'readResource'> {
  callTool(name: string, args: Record<string, unknown>, follower?: Follower): Promise<CalledTool>;
}

/** The host's own document: it shows the page in a sandbox, and hands over what the page posts. */
const document = `<!doctype html>
  <script>
    addEventListener('message', ({ source, data }) => { if (source === frames[0]) hear(data); });
    const say = (data) => frames[0].postMessage(data, '*');
  </script>
  <iframe sandbox="allow-scripts" src="${APP}" style="width: 640px; height: 480px"></iframe>`;

/**
 * A host of MCP Apps: a browser shows the page, and the official SDK speaks with it. Nothing that the page did not
 * declare gets through.
 */
export class AppHost {
  /** What the page first asks to be kept for the model. */
  readonly modelContext: Promise<unknown>;
  /** Errors of the page, what its policy forbade, and what it tried to load all the same. */
  readonly faults: string[] = [];
  readonly #initialized: Promise<void>;

  private constructor(
    private readonly client: HostedClient,
    private readonly page: Page,
    private readonly bridge: AppBridge,
  ) {
    this.#initialized = new Promise((resolve, reject) => {
      bridge.addEventListener('initialized', () => resolve());
      page.on('pageerror', reject);
    });
    bridge.oncalltool = async ({ name, arguments: args = {}, _meta }, { mcpReq: { signal, notify } }) => {
      const { progressToken } = (_meta ?? {}) as { progressToken?: number };
      const report = (params: Progress) =>
        void notify({
          method: 'notifications/progress',
          params: { progressToken: progressToken!, ...params },
        });
      const follower = progressToken === undefined ? { signal } : { signal, report };
      return (await client.callTool(name, args, follower)) as never;
    };
    this.modelContext = new Promise((resolve) => {
      bridge.onupdatemodelcontext = async (context) => {
        resolve(context);
        return {};
      };
    });
    page.on('console', (message) => message.type() === 'error' && this.faults.push(message.text()));
    page.on('pageerror', (error) => this.faults.push(error.message));
  }

  /** Opens the page that a tool names, as the server describes it, and waits until it is ready. */
  static async open(
    browser: Browser,
    {
      client,
      tool,
      capabilities = { serverTools: {} },
    }: { client: HostedClient; tool: string; capabilities?: Capabilities },
  ): Promise<AppHost> {
    const { tools } = await client.listTools();
    const { resourceUri } = tools.find(({ name }) => name === tool)!._meta!['ui'] as { resourceUri: string };
    const { contents } = await client.readResource(resourceUri);
    const { text, mimeType, _meta } = contents[0]!;
    expect(mimeType).toBe('text/html;profile=mcp-app');
    const page = await browser.newPage();
    const bridge = new AppBridge(null, { name: 'host', version: '1.0.0' }, capabilities, {
      hostContext: {
        theme: 'dark',
        styles: { variables: { '--color-text-primary': 'rgb(1, 2, 3)' } as never },
      },
    });
    const host = new AppHost(client, page, bridge);
    await host.serve(text!, (_meta?.['ui'] ?? {}) as McpUiResourceMeta);
    await bridge.connect(await relay(page));
    await page.goto(HOST);
    await host.#initialized;
    return host;
  }

  /** The page, inside. */
  get frame(): Frame {
    return this.page.frames()[1]!;
  }

  /**
   * Calls the tool as a host does for the model: the page is told the arguments, then the result. Meanwhile it hears how far
   * the call is, as it does from the console.
   */
  async call(name: string, args: Record<string, unknown>): Promise<CalledTool> {
    await this.bridge.sendToolInput({ arguments: args });
    const report = (params: Progress) =>
      void this.bridge.notification({
        method: 'toolwright/notifications/tool-progress',
        params,
      } as never);
    const result = await this.client.callTool(name, args, { report });
    await this.bridge.sendToolResult(result as never);
    return result;
  }

  /** What the page answers before it is taken away. */
  async close(): Promise<unknown> {
    const answer = await this.bridge.teardownResource({});
    await this.bridge.close();
    await this.page.close();
    return answer;
  }

  private async serve(html: string, { csp }: McpUiResourceMeta): Promise<void> {
    const headers = { 'content-security-policy': contentSecurityPolicy(csp) };
    await this.page.route('**/*', (route) => {
      const url = route.request().url();
      if (url === HOST) return route.fulfill({ contentType: 'text/html', body: document });
      if (url === APP) return route.fulfill({ contentType: 'text/html', body: html, headers });
      this.faults.push(`The page asked for ${url}.`);
      return route.abort();
    });
  }
}

/** Messages between the bridge here and the page over there. */
async function relay(page: Page): Promise<Transport> {
  const transport: Transport = {
    start: async () => undefined,
    close: async () => transport.onclose?.(),
    send: (message) => page.evaluate(`say(${JSON.stringify(message)})`),
  };
  await page.exposeFunction('hear', (message: never) => transport.onmessage?.(message));
  return transport;
}
