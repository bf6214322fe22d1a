import type { ViewServer, ViewUnderTest } from '../../src/hosts/view-under-test.js';

/** A page that speaks with its host as the extension asks, and shows the city of its result. */
export const handshake = `
  const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  addEventListener('message', ({ source, data }) => {
    if (source !== parent) return;
    if (data.id === 1) {
      const { theme, styles } = data.result.hostContext;
      document.documentElement.style.colorScheme = theme;
      for (const [name, value] of Object.entries(styles?.variables ?? {}))
        document.documentElement.style.setProperty(name, value);
      post({ method: 'ui/notifications/initialized' });
      new ResizeObserver(() => post({ method: 'ui/notifications/size-changed',
        params: { height: document.documentElement.getBoundingClientRect().height } })).observe(document.documentElement);
    }
    if (data.method === 'ui/notifications/tool-result') {
      const { structuredContent, content } = data.params;
      const { city } = structuredContent ?? JSON.parse(content[0].text);
      document.getElementById('city').textContent = city;
    }
  });
  post({ id: 1, method: 'ui/initialize', params: {
    protocolVersion: '2026-01-26', appInfo: { name: 'city', version: '1.0.0' }, appCapabilities: {} } });`;

export const page = (
  script: string,
  head = '',
) => `<!doctype html><html lang="en"><head><meta charset="utf-8">
  <title>City</title>${head}<style>
    body { margin: 0; color: var(--color-text-primary, light-dark(#111, #eee));
      background: var(--color-background-primary, light-dark(#fff, #212121)) }
  </style></head><body><main><h1 id="city">Waiting</h1></main><script>${script}</script></body></html>`;

const URI = 'ui://city/page';
const city = { city: 'Seattle' };

/** What a server says in both dialects, as core writes it. */
export function settings(csp: { connectDomains?: string[]; resourceDomains?: string[] } = {}) {
  return {
    ui: { csp },
    'openai/widgetCSP': {
      connect_domains: csp.connectDomains ?? [],
      resource_domains: csp.resourceDomains ?? [],
    },
  };
}

export function viewOf(html: string, meta: object = settings()): ViewUnderTest {
  return {
    tool: {
      name: 'show_city',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      _meta: { ui: { resourceUri: URI }, 'ui/resourceUri': URI, 'openai/outputTemplate': URI },
    },
    uri: URI,
    html,
    mimeType: 'text/html;profile=mcp-app',
    meta: { content: meta, result: meta, list: meta },
    input: {},
    result: { content: [{ type: 'text', text: JSON.stringify(city) }], structuredContent: city },
  };
}

export const noServer: ViewServer = {
  callTool: async () => ({ content: [] }),
  readResource: async () => ({ contents: [] }),
};
