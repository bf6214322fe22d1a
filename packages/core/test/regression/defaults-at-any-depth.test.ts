import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { Arg, McpPrompt, McpService, McpTool, Schema } from '@toolwright/core';
import { Expose } from 'class-transformer';
import { IsInt, IsOptional, ValidateNested } from 'class-validator';

interface K { /** @default 6 */ k?: number }
/** @default 6 */
type Six = number;
export class C { /** @default 6 */ k?: number }
export class D { k?: number = 6 }
export class Checked { /** @default 6 */ @IsInt() @IsOptional() k?: number; @Schema({ default: 7 }) @IsInt() @IsOptional() l?: number }
export class Renamed { /** @default 6 */ @Expose({ name: 'other' }) @IsInt() @IsOptional() k?: number }
export class Outer { @ValidateNested() checked!: Checked }
interface Tree { /** @default 6 */ k?: number; children: Tree[] }
interface At { /** @default "2020-01-01T00:00:00Z" */ at?: Date; /** @default [1] */ list?: number[] }
const j = (v: unknown): string => JSON.stringify(v, (_, x) => (x instanceof Map ? ['Map', ...x] : x));

@McpService() export class Tools {
  @McpTool() whole(o: K): string { return j(o); }
  @McpTool() inner(o: { m: K }): string { return j(o); }
  @McpTool() parameter(x: number, o: K): string { return j(o); }
  @McpTool() alias(x: number, o: { k?: Six }): string { return j(o); }
  @McpTool() list(x: number, l: K[]): string { return j(l); }
  @McpTool() map(x: number, m: Map<string, K>): string { return j(m); }
  @McpTool() arg(@Arg() o: K): string { return j(o); }
  @McpTool() record(x: number, r: Record<string, K>): string { return j(r); }
  @McpTool() plainClass(x: number, o: C): string { return j(o); }
  @McpTool() union(x: number, o: { kind: 'a'; /** @default 6 */ k?: number } | { kind: 'b' }): string { return j(o); }
  @McpTool() initialised(x: number, o: D): string { return j(o); }
  @McpTool() tuple(x: number, t: [K]): string { return j(t); }
  @McpTool() compound(x: number, /** @default 7 */ y?: number, /** @default {"k":1} */ o?: K, /** @default null */ n?: string | null): string { return j([y, o, n]); }
  @McpTool() filled(x: number, /** @default {} */ o?: K): string { return j(o); }
  @McpTool() innerClass(o: { m: C }): string { return j(o); }
  @McpTool() checked(x: number, o: Checked): string { return j(o); }
  @McpTool() renamed(x: number, o: Renamed): string { return j(o); }
  @McpTool() outer(o: Outer): string { return j(o); }
  @McpTool() tree(x: number, o: Tree): string { return j(o); }
  @McpTool() revived(x: number, o: At): string { return j([o.at?.getTime(), o.list]); }
  @McpTool() partial(x: number, o: Partial<K>, p: Pick<K, 'k'>): string { return j([o, p]); }
  @McpTool() taken({ k = Math.max(1), m }: K & { m?: K }): string { return j([k, m]); }
  @McpTool() own(x: number, o: K = { k: 1 }): string { const now = j(o); o.k = 99; return now; }
  @McpTool() changed(x: number, /** @default {"k":1} */ o?: K): string { const now = j(o); o!.k = 99; return now; }
  @McpPrompt() prompt(x: number, o: K): string { return j(o); }
}`;

const tools = bootForFile(TOOLS);

test.each([
  ['whole', {}, '{"k":6}'],
  ['inner', { m: {} }, '{"m":{"k":6}}'],
  ['parameter', { x: 1, o: {} }, '{"k":6}'],
  ['parameter', { x: 1, o: { k: 1 } }, '{"k":1}'],
  ['alias', { x: 1, o: {} }, '{"k":6}'],
  ['list', { x: 1, l: [{}, { k: 2 }] }, '[{"k":6},{"k":2}]'],
  ['map', { x: 1, m: { a: {} } }, '["Map",["a",{"k":6}]]'],
  ['arg', { o: {} }, '{"k":6}'],
  ['record', { x: 1, r: { a: {} } }, '{"a":{"k":6}}'],
  ['plainClass', { x: 1, o: {} }, '{"k":6}'],
  ['union', { x: 1, o: { kind: 'a' } }, '{"kind":"a","k":6}'],
  ['union', { x: 1, o: { kind: 'b' } }, '{"kind":"b"}'],
  ['initialised', { x: 1, o: {} }, '{"k":6}'],
  ['tuple', { x: 1, t: [{}] }, '[{"k":6}]'],
  ['compound', { x: 1 }, '[7,{"k":1},null]'],
  ['filled', { x: 1 }, '{"k":6}'],
  ['innerClass', { m: {} }, '{"m":{"k":6}}'],
  ['checked', { x: 1, o: {} }, '{"k":6,"l":7}'],
  ['renamed', { x: 1, o: {} }, '{"k":6}'],
  ['outer', { checked: {} }, '{"checked":{"k":6,"l":7}}'],
  ['tree', { x: 1, o: { children: [{ children: [] }] } }, '{"children":[{"children":[],"k":6}],"k":6}'],
  ['revived', { x: 1, o: {} }, '[1577836800000,[1]]'],
  ['partial', { x: 1, o: {}, p: {} }, '[{"k":6},{"k":6}]'],
  ['taken', { m: {} }, '[1,{"k":6}]'],
])('%s called with %j gets the defaults that its schema has', async (name, args, got) => {
  expect(await tools.call(name, args)).toBe(got);
});

test('each call gets its own object', async () => {
  for (const name of ['own', 'changed'])
    for (const round of ['first', 'second'])
      expect([name, round, await tools.call(name, { x: 1 })]).toEqual([name, round, '{"k":1}']);
});

test('arguments of prompts have them, too', async () => {
  const { result } = await tools.booted.wire.request('prompts/get', {
    name: 'prompt',
    arguments: { x: '1', o: '{}' },
  });
  expect(JSON.stringify(result)).toContain('{\\"k\\":6}');
});
