import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { McpService, McpTool } from '@toolwright/core';

interface Row { id: string; [column: string]: string | Date }
interface Cells { rows: string[]; [column: string]: string[] | Set<string> }
interface Mixed { [key: \`at-\${string}\`]: Date; [key: \`n-\${string}\`]: bigint }
interface Ranked { [key: \`at-\${string}\`]: Date; [key: string]: Date | string | URL; }
interface Both { [key: \`at-\${string}\`]: Date | string; [key: \`at-n-\${string}\`]: string; 'at-x': URL & string | string }
interface Numbered { [index: number]: Date; [key: string]: Date | string }
interface Named { at: Date; [key: string]: Date | bigint }
class Holder { id!: string; [name: string]: string | URL }
type Joined = { id: string } & { [key: string]: string | Date };
type Mapped = Record<\`at-\${string}\`, Date> & Record<\`n-\${string}\`, bigint>;

const kindOf = (value: unknown): string =>
  value instanceof Date ? 'Date' : value instanceof Set ? 'Set' : value instanceof URL ? 'URL' : Array.isArray(value) ? \`[\${value.map(kindOf)}]\` : typeof value;
const kinds = (value: object) => Object.entries(value).map(([key, each]) => \`\${key}:\${kindOf(each)}\`).join();

@McpService() export class Tools {
  @McpTool() row(row: Row, dry = false): string { return kinds(row); }
  @McpTool() cells(row: Cells, dry = false): string { return kinds(row); }
  @McpTool() mixed(row: Mixed, dry = false): string { return kinds(row); }
  @McpTool() ranked(row: Ranked, dry = false): string { return kinds(row); }
  @McpTool() both(row: Both, dry = false): string { return kinds(row); }
  @McpTool() numbered(row: Numbered, dry = false): string { return kinds(row); }
  @McpTool() named(row: Named, dry = false): string { return kinds(row); }
  @McpTool() holder(row: Holder, dry = false): string { return kinds(row); }
  @McpTool() joined(row: Joined, dry = false): string { return kinds(row); }
  @McpTool() mapped(row: Mapped, dry = false): string { return kinds(row); }
  @McpTool() front(list: [...Date[], string]): string { return kindOf(list); }
  @McpTool() middle(list: [string, ...Date[], bigint, string]): string { return kindOf(list); }
  @McpTool() end(list: [Date, string?, ...bigint[]]): string { return kindOf(list); }
  @McpTool() only(list: [string, ...string[], Date]): string { return kindOf(list); }
  @McpTool() spread(...list: [...Date[], string]): string { return kindOf(list); }
  @McpTool() sent(): [Iterable<number>, ...Iterable<string>[], Map<number, Date>] { return [new Set([1]), new Set(['a']), new Map([[1, new Date(0)]])]; }
  @McpTool() sentMixed(): { [key: \`l-\${string}\`]: Iterable<number>; [key: \`m-\${string}\`]: Map<string, Date> } { return { 'l-a': new Set([1]), 'm-a': new Map([['k', new Date(0)]]) }; }
}`;

const tools = bootForFile(TOOLS);
const { call } = tools;
const day = '1970-01-01T00:00:00Z';

test.each([
  ['row', { id: day, at: day, note: 'x' }, 'id:string,at:Date,note:string'],
  ['cells', { rows: ['a'], more: ['a'] }, 'rows:[string],more:Set'],
  ['mixed', { 'at-a': day, 'n-a': 5, 'n-b': '12' }, 'at-a:Date,n-a:bigint,n-b:bigint'],
  ['mixed', { 'at-a': 5 }, 'refused'],
  ['ranked', { 'at-a': day, other: 'http://a.b/', more: 'x' }, 'at-a:Date,other:URL,more:string'],
  ['both', { 'at-x': day, 'at-a': day, 'at-n-a': day }, 'at-x:string,at-a:Date,at-n-a:string'],
  ['numbered', { 1: day, b: day, c: 'x' }, '1:Date,b:Date,c:string'],
  ['named', { at: day, b: 7, c: '8' }, 'at:Date,b:bigint,c:bigint'],
  ['holder', { id: 'http://a.b/', to: 'http://a.b/' }, 'id:string,to:URL'],
  ['joined', { id: day, at: day }, 'id:string,at:Date'],
  ['mapped', { 'at-a': day, 'n-a': 5 }, 'at-a:Date,n-a:bigint'],
])('a property has the type that its name gives it: %s of %j', async (name, row, kinds) => {
  expect(await call(name, { row })).toBe(kinds);
});

test.each([
  ['front', [day, day, day], '[Date,Date,string]'],
  ['front', ['x'], '[string]'],
  ['front', ['x', 'x'], 'refused'],
  ['middle', [day, day, '5', day], '[string,Date,bigint,string]'],
  ['middle', ['a', 5, 'b'], '[string,bigint,string]'],
  ['end', [day, day, '5'], '[Date,string,bigint]'],
  ['only', [day, day], '[string,Date]'],
  ['only', [day, day, day], '[string,string,Date]'],
  ['spread', [day, day], '[Date,string]'],
])('an element of a tuple has the type of its place: %s of %j', async (name, list, kinds) => {
  expect(await call(name, { list })).toBe(kinds);
});

test('results are written by the same places', async () => {
  expect(JSON.parse(await call('sent'))).toEqual([[1], ['a'], [[1, '1970-01-01T00:00:00.000Z']]]);
  expect(JSON.parse(await call('sentMixed'))).toEqual({
    'l-a': [1],
    'm-a': { k: '1970-01-01T00:00:00.000Z' },
  });
});
