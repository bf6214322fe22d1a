import { createMcpServer, Timeout } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { serveHttp } from '../../src/index.js';

test('/healthz counts work that continues after its calls were answered', async () => {
  const server = await createMcpServer({
    name: 'deaf',
    version: '1',
    services: [],
    logger: silentLogger,
  });
  let end!: (value: string) => void;
  server.tools.add({
    name: 'work',
    policies: [Timeout.entry('1ms')],
    handler: () => new Promise<string>((resolve) => (end = resolve)),
  });
  const service = await serveHttp(server, { port: 0, signals: false });
  const health = async () => (await fetch(new URL('/healthz', service.url))).json();
  const params = {
    name: 'work',
    arguments: {},
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const response = await fetch(service.url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'work',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(await response.text()).toContain('did not finish within 0.001 s');
  expect(await health()).toEqual({ status: 'ok', abandoned: 1 });
  end('at last');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await health()).toEqual({ status: 'ok' });
  await service.close();
});
