import { postBytes } from './call-bytes.js';

const ODD = [
  null,
  true,
  -1,
  1e308,
  '',
  'x'.repeat(300),
  '\u0000\u202e',
  [],
  [[]],
  {},
  { a: { b: [] } },
  '__proto__',
];
const METHODS = [
  'tools/call',
  'tools/list',
  'initialize',
  'resources/read',
  'prompts/get',
  'ping',
  'no/such',
];
const VERSIONS = ['2026-07-28', '2025-11-25', '1999-01-01', ''];
const HEADS: Record<string, string>[] = [
  {},
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=latin1' },
  { 'Content-Encoding': 'gzip' },
  { 'Mcp-Method': 'other/method' },
  { 'Mcp-Session-Id': 'f'.repeat(32) },
  { Origin: 'http://evil.example' },
];
const DAMAGE: ((text: string, at: number) => string)[] = [
  (text) => text,
  (text, at) => text.slice(0, at % text.length),
  (text, at) => text.slice(0, at % text.length) + '"' + text.slice(at % text.length),
  (text) => `[${text},${text}]`,
  (text) => text.replace('"jsonrpc":"2.0"', '"jsonrpc":"1.0"'),
  (text) => text.replace('"params":', '"__proto__":{"polluted":1},"params":'),
  () => '['.repeat(500),
  () => '',
];

/** The n-th request of a family that is wrong in some way known to whoever reads the protocol. */
export function malformedBytes(index: number): string {
  let left = index * 2_654_435_761;
  const pick = <T>(from: readonly T[]): T => {
    left = (left * 1_103_515_245 + 12_345) % 2_147_483_648;
    return from[Math.floor((left / 2_147_483_648) * from.length)]!;
  };
  left %= 2_147_483_648;
  const method = pick(METHODS);
  const version = pick(VERSIONS);
  const message = {
    jsonrpc: '2.0',
    id: pick([1, 'a', ...ODD]),
    method: pick([method, method, pick(ODD)]),
    params: pick([{ name: pick(['echo', ...ODD]), arguments: pick([{ text: pick(ODD) }, ...ODD]) }, ...ODD]),
  };
  const meta = {
    'io.modelcontextprotocol/protocolVersion': pick([version, ...ODD]),
    progressToken: pick(ODD),
  };
  const params = isPlain(message.params)
    ? { ...message.params, _meta: pick([meta, meta, pick(ODD)]) }
    : message.params;
  const headers = { 'Mcp-Protocol-Version': version, 'Mcp-Method': method, ...pick(HEADS) };
  return postBytes(pick(DAMAGE)(JSON.stringify({ ...message, params }), left), headers);
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
