import { bootForFile } from '../support/booted-sources.js';

const tools = bootForFile(`
import { McpService, McpTool } from '@toolwright/core';
import { IsInt, IsOptional, IsString, Max, MinLength } from 'class-validator';
export class Base {
  @IsString() @MinLength(2) p!: string;
  @IsOptional() @IsString() @MinLength(2) name?: string;
  @IsOptional() @IsInt() @Max(5) n!: number;
}
type All<T> = { [K in keyof T]-?: T[K] };
type Named<T> = { [K in keyof T as K extends string ? \`the_\${K}\` : never]-?: T[K] };
interface Holder { base: Required<Base> }
@McpService() export class Tools {
  @McpTool() whole(a: Required<Base>): string { return String(a.name); }
  @McpTool() own(a: All<Base>): string { return String(a.name); }
  @McpTool() renamed(a: Named<Base>): string { return String(a.the_name); }
  @McpTool() listed(x: number, a: Required<Base>[]): string { return String(a[0]!.name); }
  @McpTool() inside(x: number, a: Holder): string { return String(a.base.name); }
  @McpTool() picked(a: Pick<Base, 'p' | 'name'>): string { return String(a.name); }
  @McpTool() again(a: Partial<Required<Base>>): string { return String(a.name); }
  @McpTool() itself(a: Base): string { return String(a.name); }
}`);

const p = 'ab';

test.each([
  ['whole', { p }, 'refused'],
  ['whole', { p, name: 'cd' }, 'cd'],
  ['whole', { p, name: 'c' }, 'refused'],
  ['whole', { p, name: null }, 'refused'],
  ['own', { p }, 'refused'],
  ['own', { p, name: 'cd' }, 'cd'],
  ['renamed', { the_p: p }, 'refused'],
  ['renamed', { the_p: p, the_name: 'cd' }, 'cd'],
  ['listed', { x: 1, a: [{ p }] }, 'refused'],
  ['listed', { x: 1, a: [{ p, name: 'cd' }] }, 'cd'],
  ['inside', { x: 1, a: { base: { p } } }, 'refused'],
  ['picked', { p }, 'undefined'],
  ['again', {}, 'undefined'],
  ['itself', { p }, 'undefined'],
])(
  'a type that requires a property requires it in spite of @IsOptional: %s(%j) is %s',
  async (name, args, text) => {
    expect(await tools.call(name, args)).toBe(text);
  },
);
