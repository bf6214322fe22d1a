import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { McpService, McpTool, Schema } from '@toolwright/core';
import { ArrayMinSize, IsIn, IsInt, IsOptional, Max } from 'class-validator';

export const config = { page: 10, most: 10, kinds: ['a'], tree: { depth: 1 } };
config.page = 25;
config.most = 50;
config.kinds.push('b');
const changed = { page: 1 };
[changed.page] = [2];
const kept = { page: 7, tags: ['x', 'y'] };
const kinds = ['p', 'q'];
const few = { each: true };
export const fixed = { page: 8, deep: { page: 9 } } as const satisfies object;
const frozen = Object.freeze({ page: 6, deep: { page: 5 } });
frozen.deep.page = 4;

export class Paging {
  @IsInt() @Max(config.most) limit: number = config.page;
  @IsIn(config.kinds) kind = 'a';
  @IsIn(kinds) @IsOptional() other?: string;
  @IsIn(['m'], { 'each': true }) @IsOptional() marks?: string[];
  @IsIn([fixed.page, frozen.page], few) @ArrayMinSize(1) @IsOptional() pages?: number[];
}
export class Assigned {
  @IsInt() limit = 1;
  /** @default 3 */
  more?: number;
  @IsInt() sometimes = 4;
  constructor() { this.limit = config.page; if (config.page > 20) this.sometimes = 5; }
}
export class Derived extends Assigned { constructor() { super(); this.limit = 99; } }
export interface Search { limit: number; /** @default 3 */ page?: number }

@McpService() export class Tools {
  @McpTool() list(page = config.page): number { return page; }
  @McpTool() tagged(/** @default 10 */ page = config.page): number { return page; }
  @McpTool() said(@Schema({ default: 10 }) page = config.page): number { return page; }
  @McpTool() pattern(page = changed.page): number { return page; }
  @McpTool() certain(one = kept.page, two = [...kept.tags], three = fixed.deep.page, four = frozen.page, five = kinds[0]): string { return [one, two, three, four, five].join(); }
  @McpTool() below(page = frozen.deep.page): number { return page; }
  @McpTool() paged(paging: Paging): Paging { return paging; }
  @McpTool() nested(paging: Paging, dry = false): Paging { return paging; }
  @McpTool() assigned(options: Assigned): Assigned { return options; }
  @McpTool() derived(options: Derived): Derived { return options; }
  @McpTool() taken({ page = config.page, 'limit': most = config.most }: { /** @default 1 */ page?: number; limit?: number }, dry = true): string { return [page, most, dry].join(); }
  @McpTool() whole(search: Search = { limit: config.page }): Search { return search; }
  @McpTool() parts({ limit, page }: Partial<Search> = { limit: config.page }, at = new Date(0)): string { return [limit, page, at.getTime()].join(); }
  @McpTool() missing(search?: Search): string { return String(search); }
  @McpTool() empty(search: { limit?: number } = {}): string { return JSON.stringify(search); }
  @McpTool() both({ at }: { at: Date }, until: Date, since = new Date(0)): string { return [at, until, since].map((each) => each.getTime()).join(); }
}`;

const tools = bootForFile(TOOLS);

const call = async (name: string, args: object = {}) => {
  const { result } = await tools.booted.wire.call(name, { ...args });
  const { isError, structuredContent, content } = result as {
    isError?: boolean;
    structuredContent?: unknown;
    content: { text: string }[];
  };
  return isError ? 'refused' : typeof structuredContent === 'object' ? structuredContent : content[0]!.text;
};
const defaultsOf = (name: string) =>
  Object.fromEntries(
    Object.entries(tools.booted.schemas.get(name)!.properties ?? {}).flatMap(([key, { default: value }]) =>
      value === undefined ? [] : [[key, value]],
    ),
  );

test('a default that the program can change is applied by the program, and not published', async () => {
  expect(await call('list')).toEqual('25');
  expect(await call('pattern')).toEqual('2');
  expect(await call('below')).toEqual('4');
  for (const name of ['list', 'pattern', 'below']) expect([name, defaultsOf(name)]).toEqual([name, {}]);
});

test('a constant is published: a literal, a frozen object, and one that its file only reads', async () => {
  expect(defaultsOf('certain')).toEqual({ one: 7, two: ['x', 'y'], three: 9, four: 6, five: 'p' });
  expect(await call('certain')).toEqual('7,x,y,9,6,p');
});

test('a @default beside a computed initialiser is left out, and the build says so', async () => {
  expect(await call('tagged')).toEqual('25');
  expect(defaultsOf('tagged')).toEqual({});
  const details = tools.booted.diagnostics.map(({ code, message }) => `${code}: ${message}`);
  expect(details.filter((each) => each.startsWith('TW_SCHEMA_DEFAULT'))).toEqual([
    expect.stringContaining('page: @default says 10, but the code decides the default when it runs.'),
    expect.stringContaining('@default says 1, but the code decides the default when it runs.'),
  ]);
});

test('a default in @Schema is published, and the program still applies its own', async () => {
  expect(defaultsOf('said')).toEqual({ page: 10 });
  expect(await call('said')).toEqual('25');
});

test('a class has the values of its initialisers and of its constructor', async () => {
  expect(await call('paged')).toEqual({ limit: 25, kind: 'a' });
  expect(await call('nested', { paging: {} })).toEqual({ limit: 25, kind: 'a' });
  expect(await call('assigned')).toEqual({ limit: 25, more: 3, sometimes: 5 });
  expect(await call('derived')).toEqual({ limit: 99, more: 3, sometimes: 5 });
  expect(defaultsOf('assigned')).toEqual({ more: 3 });
});

test('arguments of decorators have the values of the running program', async () => {
  expect(await call('paged', { limit: 50, kind: 'b', other: 'q', pages: [8, 6], marks: ['m', 'm'] })).toEqual(
    {
      limit: 50,
      kind: 'b',
      other: 'q',
      pages: [8, 6],
      marks: ['m', 'm'],
    },
  );
  for (const wrong of [{ limit: 51 }, { kind: 'c' }, { other: 'r' }, { pages: [7] }, { marks: ['n'] }])
    expect([wrong, await call('paged', wrong)]).toEqual([wrong, 'refused']);
  expect(tools.booted.schemas.get('paged')!.properties).toMatchObject({
    limit: { maximum: 50 },
    kind: { enum: ['a', 'b'] },
    other: { enum: ['p', 'q'] },
  });
});

test('destructured arguments and the whole input have the defaults of the code', async () => {
  expect(await call('taken')).toEqual('25,50,true');
  expect(await call('whole')).toEqual({ limit: 25 });
  expect(await call('whole', { limit: 2 })).toEqual({ limit: 2, page: 3 });
  expect(await call('parts')).toEqual('25,,0');
  expect(await call('missing')).toEqual('undefined');
  expect(await call('missing', { limit: 1 })).toEqual('[object Object]');
  expect(await call('empty')).toEqual('{}');
});

test('arguments beside a destructured parameter arrive with their types, too', async () => {
  const at = new Date(1).toISOString();
  expect(await call('both', { at, until: new Date(2).toISOString() })).toEqual('1,2,0');
});
