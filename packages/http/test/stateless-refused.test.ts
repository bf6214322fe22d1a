import { useFixture } from './support/serve-fixture.js';
import { bare, encoded, listHeaders, message, meta, raw } from './support/refusals.js';
import { call, envelope, modern, send, type WireRequest } from './support/wire.js';

// Which error a request gets is tested in core, without HTTP. These tests are about its status, about bodies that are no JSON
// of a message, and about what only headers can be.

const service = useFixture();

/** The id of the answer is 1, unless the row has another one; undefined: the answer has none. */
type Row = [row: string, request: WireRequest, answered?: { readonly id: unknown }];
const nobody = { id: undefined };
const seven = { id: 7 };

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nested = (levels: number) =>
  raw(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep(levels)}}}`);
const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 0]));
const listed = (change: object) => raw(message(change), listHeaders);
const inPrototype = JSON.stringify({ ...bare, params: { _meta: {} } }).replace(
  '"_meta":{}',
  `"_meta":{"__proto__":${JSON.stringify(envelope())}}`,
);
const version = (value: unknown) => meta({ 'io.modelcontextprotocol/protocolVersion': value });
const capabilities = (value: unknown) => meta({ 'io.modelcontextprotocol/clientCapabilities': value });
const unserved = { 'mcp-protocol-version': 'v999.0.0' };
const named = (name: string) => call('echo', { text: 'x' }, { headers: { 'mcp-name': name } });
const mirrored = (s: string, header: string) =>
  call('mirrored', { s }, { headers: { 'mcp-param-s': header } });
const long = 'x'.repeat(1_001);

function refused(status: number, code: number, rows: Row[]): void {
  test.each(rows)(
    `%s is refused with ${status} and ${code}`,
    async (...[, request, { id } = { id: 1 }]: Row) => {
      const answer = await send(service.url, request);
      expect({ status: answer.status, code: answer.json?.error?.code }).toEqual({ status, code });
      expect(answer.json.error.message).toEqual(expect.any(String));
      expect(Object.hasOwn(answer.json, 'id') ? answer.json.id : undefined).toEqual(id);
    },
  );
}

refused(400, -32700, [
  ['B9 no JSON', raw('{', listHeaders), nobody],
  ['B9 an empty body', raw('', listHeaders), nobody],
  ['B9 broken UTF-8', raw(Buffer.from([0x22, 0xc3, 0x28, 0x22]), listHeaders), nobody],
]);

refused(400, -32600, [
  ['B1 another jsonrpc than 2.0', listed({ jsonrpc: '1.0' }), seven],
  ...[null, 1.5, true, {}, []].map((id): Row => [`B2 the id ${JSON.stringify(id)}`, listed({ id }), nobody]),
  // A large number may have been another one, so nobody knows the id.
  ['B2 the id 2 ** 53', listed({ id: 2 ** 53 }), { id: null }],
  ['B7 a response', raw({ jsonrpc: '2.0', id: 1, result: {} }, listHeaders), nobody],
  ['B8 an empty batch', raw([], listHeaders), nobody],
  ['B8 a batch of one', raw([message({})], listHeaders), nobody],
  ['B8 a batch of scalars', raw([1]), nobody],
  ['B9 a scalar', raw('5', listHeaders), nobody],
  ['B9 a message without a method', raw({ jsonrpc: '2.0', id: 7 }, listHeaders), seven],
  ['B9 a method that is no string', listed({ method: 5 }), seven],
  ['B18 what is nested too deep', nested(70)],
  ['B18 what is nested absurdly deep', nested(100_000), nobody],
  ['B18 a message with too many keys', raw(message({ params: { wide } })), seven],
]);

refused(400, -32602, [
  ['B9 params that are an array', listed({ params: [] }), seven],
  ['ME1 a message without params', listed({ params: undefined }), seven],
  ...[undefined, 5, null, {}].map((each): Row => [`ME1 the version ${JSON.stringify(each)}`, version(each)]),
  ...[undefined, [], null, 'x'].map((each): Row => [
    `ME1 the capabilities ${JSON.stringify(each)}`,
    capabilities(each),
  ]),
  ['ME9 an unknown log level', meta({ 'io.modelcontextprotocol/logLevel': 'loud' })],
  ['ME10 a progress token that would be repeated at length', meta({ progressToken: long })],
  ['ME11 an envelope in __proto__', raw(inPrototype, listHeaders)],
]);

refused(400, -32022, [
  ['V2 a version that is not served', { ...version('v999.0.0'), headers: { ...listHeaders, ...unserved } }],
  ['H15 such a version in the header alone', raw({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, unserved)],
]);

refused(400, -32020, [
  ['H7 a missing version header', modern('tools/list', { headers: { 'mcp-protocol-version': undefined } })],
  [
    'H8 Mcp-Method that is encoded',
    modern('tools/list', { headers: { 'mcp-method': encoded('tools/list') } }),
  ],
  ['H10 Mcp-Name in another case', named('ECHO')],
  ['H11 Mcp-Name with foreign characters', named('=?base64?ZW!obw==?=')],
  ['H11 Mcp-Name with upper-case markers, which are literal', named('=?BASE64?ZWNobw==?=')],
  [
    'H13 a mirrored value with a byte order mark, which is a part of it',
    mirrored('x', '=?base64?77u/eA==?='),
  ],
  ['H14 a mirrored value in raw Latin-1', mirrored('é', 'é')],
]);

refused(400, -32021, [
  ['ME3 a capability found missing in the method', call('sample')],
  ['MR3 a page for a client of forms', call('open_page', {}, { capabilities: { elicitation: {} } })],
]);

refused(
  404,
  -32601,
  ['resources/unsubscribe', 'tasks/list', 'tasks/result', 'unknown/method', 'constructor'].map((method) => [
    `V7 ${method}`,
    modern(method),
  ]),
);

refused(200, -32602, [
  ['T4 an unknown tool', call('ecko')],
  ['R2 an unknown resource', modern('resources/read', { params: { uri: 'test://nowhere' } })],
  ['PG1 the cursor null', modern('tools/list', { params: { cursor: null } })],
  ['L1 a subscription without a filter', modern('subscriptions/listen')],
  [
    'L4 an id that every notification would repeat at length',
    modern('subscriptions/listen', { params: { notifications: {} }, id: long }),
    { id: long },
  ],
]);

refused(200, -32603, [
  ['R3 a resource that breaks', modern('resources/read', { params: { uri: 'test://broken' } })],
]);
