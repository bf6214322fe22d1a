import { createMcpServer } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from '@modelcontextprotocol/client';
import { silentLogger } from '@toolwright/core/ports';

let service: HttpService;
beforeAll(async () => {
  const server = await createMcpServer({
    name: 'again',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  server.tools.add({ name: 'greet', description: 'Greets.', handler: () => 'hello' });
  service = await serveHttp(server, { port: 0, signals: false, sse: true });
});
afterAll(() => service.close());

interface AnyTransport {
  readonly sessionId?: string | undefined;
  onmessage?: ((message: any) => void) | undefined;
  send(message: any): Promise<void>;
}

const info = { name: 'again', version: '1' };
const v1 = async <T extends V1Http | SSEClientTransport>(transport: T) => {
  const client = new V1Client(info);
  // The types of the package and exactOptionalPropertyTypes do not agree.
  await client.connect(transport as never);
  return { client, transport };
};

const clients: [string, () => Promise<{ client: V1Client | V2Client; transport: AnyTransport }>][] = [
  ['v1', async () => v1(new V1Http(new URL(service.url)))],
  ['v1 over HTTP+SSE', async () => v1(new SSEClientTransport(new URL(service.url)))],
  [
    'v2',
    async () => {
      const client = new V2Client(info, { versionNegotiation: { mode: 'legacy' } });
      const transport = new V2Http(new URL(service.url));
      await client.connect(transport);
      return { client, transport };
    },
  ],
];

test.each(clients)('the client %s that begins its session anew is served on', async (_, connect) => {
  const { client, transport } = await connect();
  const before = transport.sessionId;
  const hear = transport.onmessage;
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: info };
  const answer = new Promise<{ result?: { serverInfo: object } }>((resolve) => {
    transport.onmessage = resolve;
  });
  await transport.send({ jsonrpc: '2.0', id: 'again', method: 'initialize', params });
  expect((await answer).result?.serverInfo).toMatchObject({ name: 'again' });
  transport.onmessage = hear;
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  // Over HTTP+SSE a session is its stream.
  if (before !== undefined) expect(transport.sessionId).not.toBe(before);
  const { content } = (await client.callTool({ name: 'greet', arguments: {} })) as { content: object[] };
  expect(content).toEqual([{ type: 'text', text: 'hello' }]);
  await client.close();
});
