import { useFixture } from '../support/serve-fixture.js';
import { LegacyClient } from '../support/legacy-client.js';
import { call, modern, send, type WireRequest } from '../support/wire.js';

const service = useFixture();

/** The request with each header of the protocol sent again, with another value where one is given. */
function doubled({ headers = {}, ...rest }: WireRequest, second: Record<string, string> = {}): WireRequest {
  const both = Object.entries(headers).map(([name, value]) => [name, [value, second[name] ?? value]]);
  return { ...rest, headers: Object.fromEntries(both) as Record<string, string[]> };
}

test('equal headers that a proxy has doubled count as one', async () => {
  const answer = await send(service.url, doubled(call('echo', { text: 'hi' })));
  expect(answer.json.result.content[0].text).toBe('hi');
  const read = await send(
    service.url,
    doubled(modern('resources/read', { params: { uri: 'test://plain' } })),
  );
  expect(read.json.result.contents[0].text).toBe('plain');
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const listed = await send(service.url, doubled({ headers: client.headers, body }));
  expect(listed.json.result.tools).not.toHaveLength(0);
  const { headers } = client;
  expect((await send(service.url, doubled({ method: 'DELETE', headers }))).status).toBe(200);
});

test.each([
  ['mcp-protocol-version', '2025-11-25', 'MCP-Protocol-Version'],
  ['mcp-method', 'tools/list', 'Mcp-Method'],
  ['mcp-name', 'add', 'Mcp-Name'],
])('different values of %s are refused by name', async (name, second, shown) => {
  const answer = await send(service.url, doubled(call('echo', { text: 'hi' }), { [name]: second }));
  expect([answer.status, answer.json.error.message]).toEqual([400, expect.stringContaining(shown)]);
});

test('different session ids are refused by name, and the session goes on', async () => {
  const client = await LegacyClient.connect(service.url, '2025-11-25');
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const answer = await send(
    service.url,
    doubled({ headers: client.headers, body }, { 'mcp-session-id': 'another' }),
  );
  expect([answer.status, answer.json.error.message]).toEqual([
    400,
    expect.stringContaining('Mcp-Session-Id'),
  ]);
  expect((await client.request('ping')).status).toBe(200);
});
