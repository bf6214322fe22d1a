import { McpApp, McpService, McpTool, type McpServer, type ServerOptions } from '@toolwright/core';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { handMadeManifest } from '../packages/hand-made-manifest.js';
import { StatelessWire } from '../wire/stateless-wire.js';
import { boot } from './booting.js';

export const MIME_TYPE = 'text/html;profile=mcp-app';
export const PAGE = '<!doctype html><title>Chart</title>';
export const settings = {
  csp: { connectDomains: ['https://api.example.com', 'wss://live.example.com:8443'] },
  permissions: { geolocation: {} },
  domain: 'chart.example.net',
  prefersBorder: false,
};

/** Tools with and without apps. */
@McpService()
export class Charts {
  @McpTool({ ui: 'ui://weather/chart', meta: { 'example.com/kept': 1 } })
  draw(): string {
    return 'January 3 °C, February 5 °C.';
  }

  @McpTool({ ui: { resourceUri: 'ui://weather/chart', visibility: ['app'] } })
  refresh(): string {
    return 'fresh';
  }

  @McpTool({ ui: { visibility: ['app'] } })
  helper(): string {
    return 'for pages';
  }

  @McpApp({ uri: 'ui://weather/chart', title: 'Weather', meta: { 'example.com/kept': 2 }, ...settings })
  chart(): string {
    return PAGE;
  }

  @McpApp({ uri: 'ui://weather/plain' })
  async plain(): Promise<string> {
    return PAGE;
  }
}

const methods = { draw: [], refresh: [], helper: [], chart: [], plain: [] };
export const chartsManifest = handMadeManifest({ file: 'src/charts.ts', name: 'Charts', methods });
/** Starts servers that are closed after each test. */
export function chartServers() {
  const servers = closedAfterEach<McpServer>((server) => server.close(0));
  return async (options: Partial<ServerOptions> = { services: [Charts], manifest: chartsManifest }) => {
    const server = await boot(options);
    servers.push(server);
    return { server, wire: new StatelessWire(server) };
  };
}
