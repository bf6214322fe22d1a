import { connect } from '../../../client/src/index.js';
import { routingHeaders } from '@toolwright/core/transport';
import { mcpFetch } from '../../../http/src/index.js';
import { renamingStateful, renamingStateless } from '../support/made-up-revisions.js';
import { RecordedTelemetry } from '../support/recorded-telemetry.js';
import { paramsOnWire, shop, useShop } from '../support/renaming-shop.js';

const STATELESS = renamingStateless.version;
const STATEFUL = renamingStateful.version;
const { audit, ends, observed } = shop;
useShop();

let telemetry: RecordedTelemetry;
beforeAll(() => void (telemetry = new RecordedTelemetry()));
afterAll(() => telemetry.stop());

describe.each([STATELESS, STATEFUL])('on %s, which renames methods and their parameters,', (revision) => {
  test('what a tool marks as sensitive is hidden from observers, and what is unknown is, too', async () => {
    const client = await connect(shop.server, { revision });
    ends.push(() => client.close());
    await client.request('tools/call', {
      name: 'keep',
      arguments: { note: 'mine', token: 'canary-1' },
      other: 'canary-2',
    });
    expect(JSON.stringify(observed)).not.toContain('canary');
    expect(paramsOnWire('tools/invoke')).toMatchObject({
      tool: 'keep',
      input: { note: 'mine', token: '[sensitive]' },
      other: '[sensitive]',
    });
  });

  test('the audit log and spans have one name for the method', async () => {
    telemetry.reset();
    const client = await connect(shop.server, { revision });
    ends.push(() => client.close());
    await client.call('keep', { token: 'x' });
    await expect(client.call('kep')).rejects.toThrow("Did you mean 'keep'");
    expect(
      audit.records.map(({ event: { operation, name, outcome } }) => [operation, name, outcome]),
    ).toEqual(
      expect.arrayContaining([
        ['tool', 'keep', 'ok'],
        ['tool', 'kep', 'denied'],
      ]),
    );
    const span = telemetry.spans().find(({ name }) => name === 'tools/call keep')!;
    expect(span.attributes).toMatchObject({
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': revision,
    });
  });

  test('the names that it gave up mean nothing, and those of other revisions still do', async () => {
    const others = await connect(shop.server);
    ends.push(() => others.close());
    expect(await others.callText('keep', { token: 'x' })).toBe('kept x');
    await expect(others.request('tools/invoke', { tool: 'keep' })).rejects.toMatchObject({ code: -32601 });
    const client = await connect(shop.server, { revision });
    ends.push(() => client.close());
    await expect(client.request('tools/all', { after: 'nowhere' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('over HTTP, the headers repeat the renamed method and its address', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const send = async (method: string, params: object, headers: Record<string, string>) => {
    const response = await mcpFetch(shop.server)(
      new Request('http://localhost/mcp', {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': STATELESS,
          ...headers,
        },
      }),
    );
    return (await response.json()) as { result?: object; error?: { code: number; message: string } };
  };

  test.each([
    ['tools/invoke', { tool: 'keep', input: {} }, 'keep'],
    ['prompts/fill', { prompt: 'greet', input: { who: 'Ann' } }, 'greet'],
    ['resources/open', { address: 'test://notice' }, 'test://notice'],
  ])('of %s', async (method, params, name) => {
    expect(routingHeaders(STATELESS, { method, params })).toEqual({ 'mcp-method': method, 'mcp-name': name });
    const said = { 'mcp-method': method, 'mcp-name': name };
    expect((await send(method, params, said)).result).toBeDefined();
    const { error: missing } = await send(method, params, { 'mcp-method': method });
    expect(missing).toMatchObject({ code: -32020, message: 'The header "Mcp-Name" is missing.' });
    const { error: other } = await send(method, params, { ...said, 'mcp-name': 'other' });
    expect(other).toMatchObject({ code: -32020, message: 'The header "Mcp-Name" differs from the request.' });
    const refused = audit.records.filter(({ event }) => event.reason === 'TW_HEADER_MISMATCH');
    expect(refused.map(({ event }) => event.name)).toEqual([name, name]);
  });

  test('and the name that was given up is not found', async () => {
    const said = { 'mcp-method': 'tools/call', 'mcp-name': 'keep' };
    const { error } = await send('tools/call', { name: 'keep', arguments: {} }, said);
    expect(error).toMatchObject({ code: -32601, message: 'Method not found: tools/call' });
  });
});
