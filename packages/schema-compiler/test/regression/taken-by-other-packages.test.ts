import { useEntries } from '../use-entries.js';

/** Types as packages of types have them: what they make of a member has no trace of it. */
const TYPES = `
export type Get<T, Path extends string> = Path extends \`\${infer Key}.\${infer Rest}\`
  ? Key extends keyof T ? Get<T[Key], Rest> : never
  : Path extends keyof T ? T[Path] : never;
export type ValueOf<T, K extends keyof T = keyof T> = T[K];
type KeysOf<T> = T extends unknown ? keyof T : never;
export type AllFields<T> = { [K in KeysOf<T>]?: T extends unknown ? (K extends keyof T ? T[K] : never) : never };
export type Upper<T> = { [K in keyof T as K extends string ? Uppercase<K> : K]: T[K] };
export type Merge<A, B> = { [K in keyof A as K extends keyof B ? never : K]: A[K] } & B;
export type Paths<T> = keyof T;
`;

const lost: Record<string, string> = {
  path: "Get<{ d: Login }, 'd.pin'>",
  pathOfClass: "Get<{ d: Dto }, 'd.pin'>",
  orNull: "Get<{ d: Login }, 'd.pin'> | null",
  inside: "{ z: Get<{ d: Login }, 'd.pin'> }",
  listed: "Get<{ d: Login }, 'd.pin'>[]",
  allFields: 'AllFields<Login | { z: 1 }>',
  returned: 'ReturnType<typeof find>',
  awaited: 'Awaited<ReturnType<typeof findLater>>',
  ofClass: "[Dto['pin']]",
};
const kept: Record<string, string> = {
  object: "Get<{ d: Login }, 'd'>",
  upper: 'Upper<Login>',
  merge: 'Merge<Login, { z: 1 }>',
  found: 'ReturnType<typeof findAll>',
  valueOf: "ValueOf<Login, 'pin'>",
  itself: "Own['q']",
  items: "Own['q'][]",
  whole: 'Parameters<typeof check>',
  part: 'Parameters<typeof check>[0]',
  ofMethod: "Parameters<Own['take']>",
  ofList: "Parameters<Own['takeAll']>",
  ofDto: "Parameters<Own['takeDto']>",
  optional: "Parameters<Own['takeAny']>",
};
const free: Record<string, string> = {
  name: "Get<{ d: { name: string } }, 'd.name'>",
  id: "Get<{ d: Login }, 'd.id'>",
  rendered: 'ReturnType<typeof render>',
  record: 'Partial<Record<keyof Login, string>>',
  omitted: "Omit<Login, 'pin'>",
  keys: 'Paths<Login>',
  literal: "Get<{ d: Login }, 'd.kind'>",
};

const entries = useEntries(
  {
    'node_modules/types/package.json': JSON.stringify({ name: 'types', types: 'index.d.ts' }),
    'node_modules/types/index.d.ts': TYPES,
    'src/tools.ts': `
import { McpService, McpTool, Sensitive } from '@toolwright/core';
import { IsString, MinLength } from 'class-validator';
import type { AllFields, Get, Merge, Paths, Upper, ValueOf } from 'types';
export interface Login { /** @sensitive @minLength 4 */ pin: string; id: number; kind: 'a' | 'b' }
export class Dto { @Sensitive() @IsString() @MinLength(4) pin!: string; @IsString() name!: string }
export interface Own {
  q: Login['pin'];
  take(x: Login['pin']): void;
  takeAll(x: Login['pin'][]): void;
  takeDto(x: Dto['pin']): void;
  takeAny(x?: Login['pin']): void;
}
declare function render(login: Login, pin: Login['pin']): string;
declare function find(): Login['pin'];
declare function findLater(): Promise<Login['pin']>;
declare function findAll(): Login;
declare function check(pin: Login['pin']): void;
@McpService()
export class Tools {
${Object.entries({ ...lost, ...kept, ...free })
  .map(([name, type]) => `  @McpTool() ${name}(x: number, a: ${type}): void {}`)
  .join('\n')}
  @McpTool() rest(...a: Parameters<Own['take']>): void {}
  @McpTool() further(x: number, ...a: [y: number, ...z: Parameters<Own['take']>]): void {}
}`,
  },
  ['class-validator'],
);

const codes = (name: string) => entries.get(name)!.diagnostics.map(({ code }) => code);
const schema = (name: string) => JSON.stringify(entries.get(name)!.input);

test.each(Object.entries(lost))(
  'what a type cannot keep of a member fails the build: a: %s is %s',
  (name) => {
    expect(codes(name)).toContain('TW_SCHEMA_LOST_RULE');
    expect(entries.get(name)!.diagnostics[0]!.message).toMatch(
      /^a\S*: @?\w*.*pin does not reach the values of /,
    );
  },
);

test.each([...Object.entries(kept), ['rest', '...Parameters'], ['further', '[y, ...Parameters]']])(
  'what a member says holds: %s is %s',
  (name) => {
    expect(codes(name)).toEqual([]);
    expect(schema(name)).toContain('"minLength":4');
    expect(schema(name)).toContain('"writeOnly":true');
  },
);

test.each(Object.entries(free))('nothing is lost, and the build says nothing: %s is %s', (name) => {
  expect(codes(name)).toEqual([]);
});
