import { mcpFetch } from '../../src/index.js';
import { createFixture, type Fixture } from '../support/fixture.js';

const url = 'http://localhost:3000/mcp';
const clientInfo = { name: 'test', version: '1' };
let fixture: Fixture;
beforeEach(async () => (fixture = await createFixture()));
afterEach(() => fixture.server.close(0));

/** Platforms that are given a `Response` send its head with the first bytes of its body. */
test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  '%s: the stream for changes has a first byte before its first message',
  async (protocolVersion) => {
    const handler = mcpFetch(fixture.server);
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const opened = await handler(
      new Request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
      }),
    );
    const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id')!, accept: 'text/event-stream' };
    const stream = await handler(new Request(url, { headers }));
    const reader = stream.body!.getReader();
    const never = new Promise<undefined>((resolve) => setImmediate(() => setImmediate(resolve, undefined)));
    const first = await Promise.race([reader.read(), never]);
    await reader.cancel();
    expect(new TextDecoder().decode(first?.value)).toBe(': open\n\n');
  },
);
