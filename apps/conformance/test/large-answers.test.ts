import { createMcpServer } from '@toolwright/core';
import { serveHttp, type HttpService } from '@toolwright/http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { connectV1 } from './support/v1-client.js';
import { connectV2 } from './support/v2-client.js';

const MEBIBYTE = 1_048_576;
const LINES = 12_000;
const lost: object[] = [];
let service: HttpService;
beforeAll(async () => {
  const keep = (fields: object) => void lost.push(fields);
  const server = await createMcpServer({
    name: 'large',
    version: '1.0.0',
    services: [],
    logger: { debug() {}, info() {}, warn: keep, error: keep },
  });
  server.tools.add({
    name: 'picture',
    description: 'Reports, and answers with a picture of so many bytes.',
    inputSchema: { type: 'object', properties: { bytes: { type: 'integer' } } },
    handler: ({ bytes }, context) => {
      context.progress(1, 2);
      return { content: [{ type: 'image', data: 'A'.repeat(bytes as number), mimeType: 'image/png' }] };
    },
  });
  server.tools.add({
    name: 'lines',
    description: 'Logs many short lines at once.',
    handler: (_args, context) => {
      for (let line = 1; line <= LINES; line++) context.log.error(`line ${line}`);
      return 'said';
    },
  });
  // One process is client and server: while it is busy, neither sees that the other closes an idle connection.
  service = await serveHttp(server, { port: 0, signals: false, sse: true, keepAliveTimeout: '10m' });
});
afterAll(() => service.close());

interface AnyClient {
  callTool(params: object, second?: any, third?: any): Promise<any>;
  close(): Promise<void>;
}

async function connectOldSse(): Promise<AnyClient> {
  const client = new Client({ name: 'v1', version: '1' });
  await client.connect(new SSEClientTransport(new URL(service.url)));
  return client as AnyClient;
}

test.each<[string, 1 | 2, () => Promise<AnyClient>]>([
  ['v1', 1, async () => (await connectV1('http', service.url)).client as AnyClient],
  ['v1 over HTTP+SSE', 1, connectOldSse],
  [
    'v2 on a revision with sessions',
    2,
    async () => (await connectV2({ transport: 'http', url: service.url, era: 'legacy' })).client as AnyClient,
  ],
  [
    'v2 on 2026-07-28',
    2,
    async () => (await connectV2({ transport: 'http', url: service.url, era: 'modern' })).client as AnyClient,
  ],
])(
  'the official client %s gets answers of any size after progress, and many lines at once',
  async (_name, version, connect) => {
    const client = await connect();
    const reports: unknown[] = [];
    const options = { onprogress: (report: unknown) => reports.push(report), timeout: 120_000 };
    const call = (name: string, args: object) =>
      version === 1
        ? client.callTool({ name, arguments: args }, undefined, options)
        : client.callTool({ name, arguments: args }, options);
    for (const size of [0.5, 1.5, 2, 8, 32]) {
      const bytes = size * MEBIBYTE;
      const { content } = await call('picture', { bytes });
      expect(content[0].data).toHaveLength(bytes);
    }
    expect(reports).toHaveLength(5);
    expect((await call('lines', {})).content[0].text).toBe('said');
    expect(lost).toEqual([]);
    await client.close();
  },
);
