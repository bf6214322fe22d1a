import { close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { StatelessWire, type RequestParts } from '../wire/stateless-wire.js';

let fixture: ProtocolFixture;
beforeAll(async () => (fixture = await createProtocolFixture({ lists: { pageSize: 2 } })));
afterAll(() => close(fixture));

type Json = Record<string, unknown>;
const wire = () => new StatelessWire(fixture.server, undefined, { elicitation: {} });
const codeOf = async (method: string, parts: RequestParts) =>
  (await wire().open(method, parts).answer)!.error?.code;
const call = (name: unknown, args: unknown, headers: RequestParts['headers'] = {}): RequestParts => ({
  params: { name, arguments: args },
  headers,
});
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

describe('headers that mirror a request', () => {
  const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

  test.each<[string, string, RequestParts]>([
    ['no version', 'tools/list', { headers: { 'mcp-protocol-version': undefined } }],
    ['an empty version', 'tools/list', { headers: { 'mcp-protocol-version': '' } }],
    ['another version', 'tools/list', { headers: { 'mcp-protocol-version': '2025-11-25' } }],
    ['no method', 'tools/list', { headers: { 'mcp-method': undefined } }],
    ['a method in another case', 'tools/list', { headers: { 'mcp-method': 'Tools/List' } }],
    ['no name', 'tools/call', call('whoami', {}, { 'mcp-name': undefined })],
    ['another name', 'tools/call', call('whoami', {}, { 'mcp-name': 'talk' })],
    ['a name with broken padding', 'tools/call', call('whoami', {}, { 'mcp-name': '=?base64?ZWNobw?=' })],
    ['a name of broken UTF-8', 'tools/call', call('whoami', {}, { 'mcp-name': '=?base64?wyg=?=' })],
    ['a name in Latin-1', 'tools/call', call('whoamé', {}, { 'mcp-name': 'whoamé' })],
    [
      'no name of a resource',
      'resources/read',
      { params: { uri: 'test://plain' }, headers: { 'mcp-name': undefined } },
    ],
    ['no string', 'tools/call', call('mirrored', { s: 'x' })],
    ['no empty string', 'tools/call', call('mirrored', { s: '' })],
    ['no false', 'tools/call', call('mirrored', { b: false })],
    ['no zero', 'tools/call', call('mirrored', { n: 0 })],
    ['another string', 'tools/call', call('mirrored', { s: 'x' }, { 'mcp-param-s': 'y' })],
    ['another nested string', 'tools/call', call('mirrored', { nested: { t: 'x' } }, { 'mcp-param-t': 'y' })],
    ['another boolean', 'tools/call', call('mirrored', { b: true }, { 'mcp-param-b': 'True' })],
    ['another number', 'tools/call', call('mirrored', { n: 1 }, { 'mcp-param-n': '2' })],
    ['a value that is not there', 'tools/call', call('mirrored', {}, { 'mcp-param-s': 'x' })],
    ['a value of arguments that are none', 'tools/call', call('mirrored', 5, { 'mcp-param-s': 'x' })],
    [
      'a value that cannot be decoded',
      'tools/call',
      call('mirrored', { s: 'x' }, { 'mcp-param-s': '=?base64?eA?=' }),
    ],
  ])('with %s are refused', async (_what, method, parts) => {
    expect(await codeOf(method, parts)).toBe(-32020);
  });

  test.each<[Json, RequestParts['headers']]>([
    [
      { s: 'x', n: 5, b: true },
      { 'mcp-param-s': 'x', 'mcp-param-n': '5', 'mcp-param-b': 'true' },
    ],
    [
      { s: 'é', nested: { t: '' } },
      { 'mcp-param-s': encoded('é'), 'mcp-param-t': '' },
    ],
    [{ s: null, nested: 5 }, {}],
    [{ s: { no: 'string' } }, {}],
    [{ n: 'no number' }, { 'mcp-param-n': 'no number' }],
  ])('are accepted for %j', async (args, headers) => {
    expect(await codeOf('tools/call', call('mirrored', args, headers))).toBeUndefined();
  });

  test('are accepted for an encoded name; a name of the wrong type is refused by the method', async () => {
    expect(await codeOf('tools/call', call('whoami', {}, { 'mcp-name': encoded('whoami') }))).toBeUndefined();
    expect(await codeOf('tools/call', call(5, {}, { 'mcp-name': '5' }))).toBe(-32602);
  });
});

describe('metadata', () => {
  test.each<[string, Json, number]>([
    ['a version that is no string', { [VERSION]: 5 }, -32602],
    ['no capabilities', { [CAPABILITIES]: undefined }, -32602],
    ['capabilities in a list', { [CAPABILITIES]: [] }, -32602],
    ['an unknown log level', { 'io.modelcontextprotocol/logLevel': 'loud' }, -32602],
    ['a progress token that is an object', { progressToken: {} }, -32602],
    ['a progress token as long as a page', { progressToken: 'x'.repeat(1_001) }, -32602],
  ])('with %s is refused', async (_what, meta, code) => {
    const { answer } = wire().open('tools/list', { meta, headers: { 'mcp-protocol-version': undefined } });
    expect((await answer)!.error?.code).toBe(code);
  });

  test('may name the client and its trace, and invalid values of these are ignored', async () => {
    const info = 'io.modelcontextprotocol/clientInfo';
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    for (const meta of [
      { [info]: { name: 'c', version: '1', title: 'C' }, traceparent, tracestate: 'a=1', baggage: 'b=2' },
      { [info]: { name: 5 }, traceparent: 'x', baggage: '\n' },
      { [info]: 5, traceparent, tracestate: 5, baggage: 5 },
    ])
      expect(await codeOf('tools/call', { ...call('whoami', {}), meta })).toBeUndefined();
  });
});

describe('bodies', () => {
  const stateless = { 'mcp-protocol-version': '2026-07-28' };
  const send = (body: unknown, headers = stateless) => wire().send(body, headers).answer;

  test.each<[string, unknown, number]>([
    ['a scalar', 5, -32600],
    [
      'a batch of one',
      [{ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { [VERSION]: 'x' } } }],
      -32600,
    ],
    ['an empty batch', [], -32600],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, -32600],
    ['no metadata', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, -32602],
    ['a handshake', { jsonrpc: '2.0', id: 1, method: 'initialize' }, -32020],
    [
      'an object with too many keys',
      Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [at, 0])),
      -32600,
    ],
  ])('%s is refused with an error of the stateless era', async (_what, body, code) => {
    expect((await send(body))!.error?.code).toBe(code);
  });

  test('an unserved version is refused, in the header or the body, of a request or a notification', async () => {
    const later = { 'mcp-protocol-version': '2099-01-01' };
    const notification = { jsonrpc: '2.0', method: 'notifications/x' };
    for (const body of [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }, notification])
      expect((await send(body, later))!.error?.code).toBe(-32022);
    const meta = { [VERSION]: '2099-01-01' };
    expect(await codeOf('tools/list', { meta, headers: later })).toBe(-32022);
    const claimed = { ...notification, params: { _meta: { [VERSION]: '2099-01-01' } } };
    expect((await send(claimed))!.error?.code).toBe(-32020);
    const { protocol } = fixture.server;
    const kind = protocol.read(
      { ...notification, params: { _meta: { [VERSION]: '2026-07-28' } } },
      arrival,
    ).kind;
    expect(kind).toBe('accepted');
  });

  const arrival = { peer: { principal: undefined, ip: undefined }, header: () => undefined };

  test('if no handshake is served, its messages are refused with the served versions', async () => {
    const own = await createProtocolFixture({ stateful: false });
    const read = (body: unknown) => own.server.protocol.read(body, arrival);
    const code = (body: unknown) => {
      const reading = read(body);
      return reading.kind === 'refused' ? JSON.parse(reading.reply.text).error.code : reading.kind;
    };
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize' };
    expect(code({ ...initialize, params: { protocolVersion: '2025-11-25' } })).toBe(-32022);
    expect(code(initialize)).toBe(-32022);
    expect(code({ ...initialize, method: 'tools/list' })).toBe(-32022);
    expect(code({ jsonrpc: '2.0', method: 'notifications/x' })).toBe('accepted');
    expect(code({ jsonrpc: '2.0', id: 1, result: {} })).toBe(-32600);
    expect(code([initialize])).toBe(-32600);
    expect(own.server.protocol.stateful).toBeUndefined();
    await close(own);
  });

  test('messages of a handshake are recognised', () => {
    const kind = (body: unknown) => fixture.server.protocol.read(body, arrival).kind;
    expect(kind({ jsonrpc: '2.0', id: 1, method: 'initialize' })).toBe('initialize');
    expect(kind({ jsonrpc: '2.0', id: 1, method: 'ping' })).toBe('stateful');
    expect(kind([{ jsonrpc: '2.0', id: 1, method: 'ping' }])).toBe('batch');
  });
});

describe('methods', () => {
  const unknown = [
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    '__proto__',
    'constructor',
  ];
  test.each(unknown)('there is no %s', async (method) => {
    expect(await codeOf(method, {})).toBe(-32601);
  });

  const ref = { type: 'ref/prompt', name: 'greet' };
  const argument = { name: 'who', value: 'a' };
  test.each<[string, Json]>([
    ['tools/call', { name: 'ecko' }],
    ['tools/call', { name: '__proto__' }],
    ['tools/call', { name: 'whoami', arguments: [] }],
    ['resources/read', { uri: 'test://nowhere' }],
    ['prompts/get', { name: 'great' }],
    ['prompts/get', { name: 'greet' }],
    ['prompts/get', { name: 'greet', arguments: { who: 5 } }],
    ['prompts/get', { name: 'greet', arguments: [] }],
    ['completion/complete', { ref }],
    ['completion/complete', { ref, argument: { name: 5, value: '' } }],
    ['completion/complete', { ref, argument: { name: 'who' } }],
    ['completion/complete', { ref: 5, argument }],
    ['completion/complete', { ref: { type: 'ref/x' }, argument }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: 'great' }, argument }],
    ['completion/complete', { ref: { type: 'ref/prompt' }, argument }],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'test://nowhere' }, argument }],
    ['completion/complete', { ref, argument, context: 5 }],
    ['completion/complete', { ref, argument, context: { arguments: { how: 5 } } }],
    ['completion/complete', { ref, argument, context: { arguments: [] } }],
    ['tools/list', { cursor: 5 }],
    ['tools/list', { cursor: '' }],
    ['tools/list', { cursor: 'garbage' }],
    ['tools/list', { cursor: 'x'.repeat(13_000) }],
    ['tools/list', { cursor: Buffer.from('["tools","nobody"]').toString('base64url') }],
    ['tools/list', { cursor: Buffer.from('["prompts","greet"]').toString('base64url') }],
    ['tools/list', { cursor: Buffer.from('["tools", "ask"]').toString('base64url') }],
  ])('%s with %.80j is refused', async (method, params) => {
    expect(await codeOf(method, { params })).toBe(-32602);
  });
});
