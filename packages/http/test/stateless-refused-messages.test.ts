import { bare, listHeaders, message, meta, raw, testRefusals } from './support/refusals.js';
import { envelope, modern } from './support/wire.js';

const without = (key: string) => {
  const { [key]: _left, ...rest } = bare.params._meta;
  return raw({ ...bare, params: { _meta: rest } }, listHeaders);
};
const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const wide = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`k${index}`, 0]));

testRefusals([
  {
    row: 'B1 jsonrpc is not 2.0',
    request: raw(message({ jsonrpc: '1.0' }), listHeaders),
    status: 400,
    code: -32600,
    id: 7,
  },
  ...[null, 1.5, true, {}, [], 2 ** 53].map((id) => ({
    row: `B2 the id ${JSON.stringify(id)} is none`,
    request: raw(message({ id }), listHeaders),
    status: 400,
    code: -32600,
    // A large number may have been another one, so nobody knows the id.
    ...(id === 2 ** 53 && { id: null }),
  })),
  {
    row: 'ME10 a progress token that would be repeated at length',
    request: modern('tools/list', { meta: { progressToken: 'x'.repeat(1_001) } }),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    row: 'L4 an id that every notification would repeat at length',
    request: modern('subscriptions/listen', { params: { notifications: {} }, id: 'x'.repeat(1_001) }),
    status: 200,
    code: -32602,
    id: 'x'.repeat(1_001),
  },
  { row: 'B8 an empty batch', request: raw([], listHeaders), status: 400, code: -32600 },
  { row: 'B8 a batch of one', request: raw([message({})], listHeaders), status: 400, code: -32600 },
  { row: 'B8 a batch of scalars', request: raw([1]), status: 400, code: -32600 },
  { row: 'B9 no JSON', request: raw('{', listHeaders), status: 400, code: -32700 },
  { row: 'B9 an empty body', request: raw('', listHeaders), status: 400, code: -32700 },
  { row: 'B9 a scalar', request: raw('5', listHeaders), status: 400, code: -32600 },
  {
    row: 'B9 no method',
    request: raw({ jsonrpc: '2.0', id: 7 }, listHeaders),
    status: 400,
    code: -32600,
    id: 7,
  },
  {
    row: 'B9 a method that is no string',
    request: raw(message({ method: 5 }), listHeaders),
    status: 400,
    code: -32600,
    id: 7,
  },
  {
    row: 'B9 params that are an array',
    request: raw(message({ params: [] }), listHeaders),
    status: 400,
    code: -32602,
    id: 7,
  },
  {
    row: 'B7 a response',
    request: raw({ jsonrpc: '2.0', id: 1, result: {} }, listHeaders),
    status: 400,
    code: -32600,
  },
  {
    row: 'B18 nested too deep',
    request: raw(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep(70)}}}`),
    status: 400,
    code: -32600,
    id: 1,
  },
  {
    row: 'B18 nested absurdly deep',
    request: raw(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${deep(100_000)}}}`),
    status: 400,
    code: -32600,
  },
  { row: 'B18 too many keys', request: raw(message({ params: { wide } })), status: 400, code: -32600, id: 7 },
  {
    row: 'B9 UTF-8 is broken',
    request: raw(Buffer.from([0x22, 0xc3, 0x28, 0x22]), listHeaders),
    status: 400,
    code: -32700,
  },
  {
    row: 'ME1 no params',
    request: raw(message({ params: undefined }), listHeaders),
    status: 400,
    code: -32602,
    id: 7,
  },
  {
    row: 'ME1 no protocolVersion',
    request: without('io.modelcontextprotocol/protocolVersion'),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    row: 'ME1 no clientCapabilities',
    request: without('io.modelcontextprotocol/clientCapabilities'),
    status: 400,
    code: -32602,
    id: 1,
  },
  ...[5, null, {}].map((version) => ({
    row: `ME1 protocolVersion ${JSON.stringify(version)}`,
    request: meta({ 'io.modelcontextprotocol/protocolVersion': version }),
    status: 400,
    code: -32602,
    id: 1,
  })),
  ...[[], null, 'x'].map((capabilities) => ({
    row: `ME1 clientCapabilities ${JSON.stringify(capabilities)}`,
    request: meta({ 'io.modelcontextprotocol/clientCapabilities': capabilities }),
    status: 400,
    code: -32602,
    id: 1,
  })),
  {
    row: 'ME9 an unknown log level',
    request: meta({ 'io.modelcontextprotocol/logLevel': 'loud' }),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    row: 'ME10 a progress token that is an object',
    request: meta({ progressToken: {} }),
    status: 400,
    code: -32602,
    id: 1,
  },
  {
    row: 'ME11 an envelope in __proto__',
    request: raw(
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"__proto__":${JSON.stringify(envelope())}}}}`,
      listHeaders,
    ),
    status: 400,
    code: -32602,
    id: 1,
  },
]);
