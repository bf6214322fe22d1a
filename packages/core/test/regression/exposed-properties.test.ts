import { bootForFile } from '../support/booted-sources.js';

const TOOLS = `
import { McpService, McpTool } from '@toolwright/core';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';

export class Initial { @Expose() @IsOptional() @IsInt() k? = 9; @Expose() @IsOptional() list: number[] = [1]; @Expose() @IsOptional() none?: string }
export class Named { @Expose({ name: 'kk' }) @IsOptional() @IsInt() k? = 9 }
export class Made { @Expose() @Transform(({ value }) => value ?? 'made') @IsOptional() k?: string = 'initial' }
export class Outer { @ValidateNested() @Type(() => Initial) inner!: Initial; @ValidateNested({ each: true }) @Type(() => Named) list!: Named[] }

export class Grouped { @Expose({ groups: ['g'] }) f = 'own'; @Expose({ groups: ['g'], name: 'hh' }) h?: string; x?: number }
export class Locked { @Exclude({ toClassOnly: true }) @IsString() d!: string; @Exclude() @IsString() free = 'own'; @Exclude() @IsOptional() @IsString() open?: string }
@Exclude() export class Strict { @Expose({ toPlainOnly: true }) a?: string; @Expose({ toClassOnly: true }) b?: string; @Expose() c?: string }
export class Twice { @Expose({ name: 'one' }) @Expose({ name: 'two' }) a?: string }

export class Result {
  @Expose({ groups: ['admin'] }) adm = 'a';
  @Expose({ toClassOnly: true, name: 'x' }) y = 'y';
  @Expose({ groups: ['admin'], name: 'other' }) z = 'z';
  n = 1;
}
@Exclude() export class Few { a = 'a'; @Expose() b = 'b'; @Expose({ toClassOnly: true }) c = 'c'; @Expose({ toPlainOnly: true }) d = 'd' }

const j = (v: unknown): string => JSON.stringify(v);
@McpService() export class Tools {
  @McpTool() initial(a: Initial): string { return j(a); }
  @McpTool() named(a: Named): string { return j(a); }
  @McpTool() made(a: Made): string { return j(a); }
  @McpTool() outer(a: Outer): string { return j(a); }
  @McpTool() grouped(a: Grouped): string { return j(a); }
  @McpTool() locked(a: Locked): string { return j(a); }
  @McpTool() strict(a: Strict): string { return j(a); }
  @McpTool() twice(a: Twice): string { return j(a); }
  @McpTool() result(): Result { return new Result(); }
  @McpTool() few(): Few { return new Few(); }
}`;

const tools = bootForFile(TOOLS);

test.each([
  ['initial', {}, '{"k":9,"list":[1]}'],
  ['initial', { k: 1, list: [], none: 'n' }, '{"k":1,"list":[],"none":"n"}'],
  ['named', {}, '{"k":9}'],
  ['named', { kk: 1 }, '{"k":1}'],
  ['made', {}, '{"k":"made"}'],
  ['outer', { inner: {}, list: [{}] }, '{"inner":{"k":9,"list":[1]},"list":[{"k":9}]}'],
  ['grouped', { hh: 'h', x: 1 }, '{"f":"own","h":"h","x":1}'],
  ['strict', { b: 'b', c: 'c' }, '{"b":"b","c":"c"}'],
  ['twice', { one: 'a' }, '{"a":"a"}'],
  ['grouped', { f: 'x' }, 'refused'],
  ['strict', { a: 'x' }, 'refused'],
])('%s called with %j gets what class-transformer and its schema say', async (name, args, got) => {
  expect(await tools.call(name, args)).toBe(got);
});

test.each([
  ['result', { x: 'y', n: 1 }],
  ['few', { b: 'b', d: 'd' }],
])('the result of %s has what class-transformer writes', async (name, written) => {
  const { result } = await tools.booted.wire.call(name, {});
  expect(result).toMatchObject({ structuredContent: written });
});

test('the build names what nobody can send', () => {
  const said = tools.booted.diagnostics.map(({ code, message }) => `${code} ${message}`);
  const about = (...words: string[]) => said.filter((each) => words.every((word) => each.includes(word)));
  expect(about('TW_SCHEMA_UNPUBLISHED', '@Expose with groups leaves f out')).toHaveLength(1);
  expect(about('TW_SCHEMA_UNPUBLISHED', '@Expose with groups leaves adm out')).toHaveLength(1);
  expect(about('TW_SCHEMA_DECORATOR_TYPE', 'leaves d out of arguments, and @IsString')).toHaveLength(1);
  expect(about('leaves free out')).toEqual([]);
  expect(about('leaves open out')).toEqual([]);
});
