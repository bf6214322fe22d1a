import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { McpService, McpTool } from '@toolwright/core';

type Code = \`a-\${string}\` & Lowercase<string>;
interface V1 { version: 1n; name: string }
interface V2 { version: 2n; title: string }
type Big = 9007199254740993n | 9007199254740995n;

@McpService() export class Tools {
  @McpTool() code(code: Code): string { return code; }
  @McpTool() ends(code: \`a\${string}\` & \`\${string}b\` & Uppercase<string> | 'x'): string { return code; }
  @McpTool() keys(row: Record<Code, number>, dry = false): string { return Object.keys(row).join(); }
  @McpTool() marked(row: { [key: \`x-\${string}\` & Uppercase<string>]: number; id: number }): string { return Object.keys(row).join(); }
  @McpTool() named(map: Map<Code, bigint>): string { return [...map].map(([key, value]) => key + typeof value).join(); }
  @McpTool() numbers(row: Record<number, string>, dry = false): string { return Object.keys(row).join(); }
  @McpTool() bracket(text: \`[\${string}]\`): string { return text; }
  @McpTool() pixels(width: \`\${number}px\`): string { return width; }
  @McpTool() level(level: 1n | 2n | -3n): string { return \`\${typeof level} \${level}\`; }
  @McpTool() large(id: Big): string { return \`\${typeof id} \${id}\`; }
  @McpTool() mixed(id: 1n | 'one' | 2): string { return \`\${typeof id} \${id}\`; }
  @McpTool() branded(id: 7n & { readonly __brand: 'id' }): string { return String(id); }
  @McpTool() start(from: 1n | 2n = 2n): string { return String(from); }
  @McpTool() order(/** @minimum 1 @maximum 100 */ amount: bigint, dry = false): string { return String(amount); }
  @McpTool() orders(/** @items.exclusiveMinimum 0 */ amounts: bigint[], /** @maximum 9007199254740992 */ most: bigint | null = null): string { return [...amounts, most].join(); }
  @McpTool() save(doc: V1 | V2, dry = false): string { return \`\${typeof doc.version} \${doc.version}\`; }
  @McpTool() tell(large: boolean): { id: 1n | 9007199254740993n } { return { id: large ? 9007199254740993n : 1n }; }
}`;

const tools = bootForFile(TOOLS);
const { call } = tools;

test.each([
  ['code', { code: 'a-b' }, 'a-b'],
  ['code', { code: 'a-B' }, 'refused'],
  ['code', { code: 'b' }, 'refused'],
  ['ends', { code: 'x' }, 'x'],
  ['ends', { code: 'ab' }, 'refused'],
  ['keys', { row: { 'a-b': 1 } }, 'a-b'],
  ['keys', { row: { 'a-B': 1 } }, 'refused'],
  ['keys', { row: { b: 1 } }, 'refused'],
  ['marked', { id: 1 }, 'id'],
  ['marked', { id: 1, 'x-a': 1 }, 'refused'],
  ['named', { map: { 'a-b': '5' } }, 'a-bbigint'],
  ['named', { map: { 'a-B': '5' } }, 'refused'],
  ['numbers', { row: { 1: 'a', '-1.5': 'b' } }, '1,-1.5'],
  ['numbers', { row: { '007': 'a' } }, 'refused'],
  ['bracket', { text: '[a\nb\r\n\u2028]' }, '[a\nb\r\n\u2028]'],
  ['bracket', { text: '[a]\n' }, 'refused'],
  ['pixels', { width: '1e21px' }, '1e21px'],
  ['pixels', { width: '1e-7px' }, '1e-7px'],
  ['pixels', { width: 'px' }, 'refused'],
  ['pixels', { width: '1.2.3px' }, 'refused'],
])(
  'all parts of a type of texts are checked, with line ends and exponents: %s of %j',
  async (name, args, text) => {
    expect(await call(name, args)).toBe(text);
  },
);

test.each([
  ['level', { level: 1 }, 'bigint 1'],
  ['level', { level: '-3' }, 'bigint -3'],
  ['level', { level: 3 }, 'refused'],
  ['level', { level: '7' }, 'refused'],
  ['level', { level: 1.5 }, 'refused'],
  ['large', { id: '9007199254740993' }, 'bigint 9007199254740993'],
  ['large', { id: '1' }, 'refused'],
  ['large', { id: 9007199254740992 }, 'refused'],
  ['mixed', { id: 1 }, 'bigint 1'],
  ['mixed', { id: 'one' }, 'string one'],
  ['mixed', { id: 2 }, 'number 2'],
  ['mixed', { id: '2' }, 'refused'],
  ['branded', { id: 7 }, '7'],
  ['branded', { id: 8 }, 'refused'],
  ['start', {}, '2'],
  ['start', { from: 3 }, 'refused'],
  ['order', { amount: 100 }, '100'],
  ['order', { amount: '100' }, '100'],
  ['order', { amount: 101 }, 'refused'],
  ['order', { amount: '101' }, 'refused'],
  ['order', { amount: '0' }, 'refused'],
  ['order', { amount: '-7' }, 'refused'],
  ['orders', { amounts: [1, '2'], most: '9007199254740992' }, '1,2,9007199254740992'],
  ['orders', { amounts: [1, '0'] }, 'refused'],
  ['orders', { amounts: [1], most: '9007199254740993' }, 'refused'],
  ['orders', { amounts: ['1'], most: null }, '1,'],
  ['save', { doc: { version: 1, name: 'a' } }, 'bigint 1'],
  ['save', { doc: { version: '2', title: 'a' } }, 'bigint 2'],
  ['save', { doc: { version: 2, name: 'a' } }, 'refused'],
  ['save', { doc: { version: 9, title: 'a' } }, 'refused'],
  ['tell', { large: true }, '{"id":"9007199254740993"}'],
  ['tell', { large: false }, '{"id":1}'],
])('a bigint literal accepts its own value alone: %s of %j', async (name, args, text) => {
  expect(await call(name, args)).toBe(text);
});

test('the list names the values of bigint literals', () => {
  expect(tools.booted.schemas.get('level')!.properties!.level).toMatchObject({
    enum: [-3, '-3', 1, '1', 2, '2'],
  });
  expect(tools.booted.schemas.get('start')!.properties!.from).toMatchObject({ default: 2 });
});
