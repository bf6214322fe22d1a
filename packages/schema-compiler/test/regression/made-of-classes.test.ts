import { useEntries } from '../use-entries.js';

/** Tools with an argument `a`, each with what becomes of the facts that a class or a function says about it. */
const lost: Record<string, string> = {
  picked: "Pick<Foreign, 'v'>",
  partial: 'Partial<Foreign>',
  required: 'Required<Foreign>',
  crossed: 'Foreign & { z: 1 }',
  listed: 'Partial<Foreign>[]',
  inside: '{ in: Partial<Foreign> }',
  named: 'Named',
  optional: 'Opt<Foreign>',
  composed: 'Partial<Composed>',
  ...Object.fromEntries(
    ['Foreign', 'Composed', 'Inheriting', 'Phone', 'Own', 'Sometimes'].flatMap((name) =>
      [
        `{ [K in keyof ${name}]: ${name}[K] }`,
        `{ [K in 'v']?: ${name}[K] }`,
        `DeepPartial<{ deep: ${name} }>`,
        `Prefixed<${name}>`,
        `ReturnType<typeof copy${name}>`,
        `${name}['v']`,
        `Pick<${name}, 'v'>['v']`,
        `{ v: ${name}['v'] | null }`,
        `Over${name}`,
        `OverPick${name}`,
        `OverOmit${name}`,
        `OverPartial${name}<number>`,
        `Implementing${name}`,
        `Merged${name}`,
        `Omit<Pick<${name}, 'v' | 'free'>, 'free'>`,
        `Partial<${name} & { z: 1 }>`,
        `At<${name}>`,
        `Readonly<${name}>`,
        `{ deep: Readonly<${name}>[] }`,
      ].map((type, index) => [`madeOf${name}${index}`, type] as const),
    ),
  ),
};
const held: Record<string, string> = {
  itself: 'Foreign',
  listOfIt: 'Foreign[]',
  byName: 'Record<string, Foreign>',
  seen: 'Partial<Seen>',
  other: "Pick<Composed, 'free'>",
  free: 'Partial<Free>',
  readonly: 'Readonly<Seen>',
  others: '{ [K in keyof Composed]?: boolean }',
  othersAgain: 'Partial<Flags<Composed>>',
  seenInline: '{ [K in keyof Seen]: Seen[K] }',
  seenOver: 'OverSeen',
  seenCopy: 'ReturnType<typeof copySeen>',
  given: 'Given',
  givenAgain: 'Partial<Given>[]',
  phone: 'Phone',
  own: 'Own[]',
  sometimes: 'Sometimes',
  published: 'Partial<Published>',
  child: 'Inheriting',
  redeclared: 'Redeclared',
  generic: 'Generic<string>',
  partialChild: 'PartialChild',
  ofPartialChild: "Pick<PartialChild, 'v'>",
  restOfIt: "{ [K in 'free']: Composed[K] }",
};

const entries = useEntries(
  {
    'node_modules/dtos/package.json': JSON.stringify({
      name: 'dtos',
      types: 'index.d.ts',
      peerDependencies: { 'class-validator': '*' },
    }),
    'node_modules/dtos/index.d.ts':
      'export declare class Foreign { v: string; free: string }\nexport interface Given { deep: Partial<Foreign>; v: Foreign["v"] }',
    'node_modules/shapes/package.json': JSON.stringify({ name: 'shapes', types: 'index.d.ts' }),
    'node_modules/shapes/index.d.ts': 'export declare class Free { v: string; }',
    'src/tools.ts': `
import { PartialType } from '@nestjs/mapped-types';
import { McpService, McpTool, Schema } from '@toolwright/core';
import { IsPhoneNumber, MinLength, Validate, ValidateIf } from 'class-validator';
import { Foreign, Given } from 'dtos';
import { Free } from 'shapes';
export type Named = Partial<Foreign>;
type Opt<T> = { [K in keyof T]?: T[K] };
const Long = (): PropertyDecorator => (target, key) => MinLength(4)(target, key as string);
export class Composed { @Long() v!: string; free!: string }
class Even { validate(text: string) { return text.length % 2 === 0; } }
export class Phone { @IsPhoneNumber('DE') v!: string; free!: string }
export class Own { @Validate(Even) v!: string; free!: string }
export class Sometimes { @ValidateIf((it: Sometimes) => it.free !== '') @MinLength(4) v!: string; free!: string }
export class Published { @Schema({ pattern: '^(..)*$' }) @Validate(Even) v!: string }
export class Seen { @MinLength(4) v!: string }
export class Inheriting extends Foreign { more?: string }
export class Redeclared extends Composed { declare v: string }
export class Generic<T> { @Long() v!: T }
export class PartialChild extends PartialType(Seen) {}
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;
type Flags<T> = { [K in keyof T]: boolean };
type Value<T, K extends keyof T> = T[K];
type At<T> = { [K in keyof T]: Value<T, K> };
type Prefixed<T> = { [K in keyof T as \`x_\${string & K}\`]: T[K] };
${['Foreign', 'Composed', 'Inheriting', 'Seen', 'Phone', 'Own', 'Sometimes']
  .map(
    (name) => `
interface Over${name} extends ${name} { more?: string }
interface OverPick${name} extends Pick<${name}, 'v'> { more?: string }
interface OverOmit${name} extends Omit<${name}, 'free'> { more?: string }
interface OverPartial${name}<T> extends Partial<${name}> { more?: T }
export class Implementing${name} implements Pick<${name}, 'v'> { v!: string }
export class Merged${name} { more?: string }
export interface Merged${name} extends ${name} {}
function copy${name}(from: ${name}) { return { ...from, third: 'x' }; }`,
  )
  .join('\n')}
function check(/** @sensitive @minLength 4 */ pin: string, /** @maximum 5 */ n: number): string { return pin + n; }
type Checked = Parameters<typeof check>;
interface Login { pin: Parameters<typeof check>[0]; n: Checked[1]; pins: Checked[0][] }
@McpService()
export class Tools {
${Object.entries({ ...lost, ...held })
  .map(([name, type]) => `  @McpTool() ${name}(x: number, a: ${type}): void {}`)
  .join('\n')}
  @McpTool() login(pin: Parameters<typeof check>[0], n: Checked[1]): void {}
  @McpTool() within(login: Login, x = 1): void {}
}`,
  },
  ['class-validator', '@nestjs/mapped-types'],
);

const codes = (name: string) => entries.get(name)!.diagnostics.map(({ code }) => code);

test.each(Object.entries(lost))('rules that only a running class knows fail the build: %s(a: %s)', (name) => {
  expect(codes(name)).toContain('TW_SCHEMA_LOST_RULE');
});

test.each(Object.entries(held))('rules that are checked or seen, or are none, do not: %s(a: %s)', (name) => {
  expect(codes(name)).not.toContain('TW_SCHEMA_LOST_RULE');
});

test('an item of Parameters keeps what the parameter says', () => {
  const pin = { type: 'string', minLength: 4, writeOnly: true };
  const n = { type: 'number', maximum: 5 };
  expect(entries.get('login')!.input.properties).toEqual({ pin, n });
  const { login } = entries.get('within')!.input.properties as Record<string, { properties: object }>;
  expect(login!.properties).toEqual({ pin, n, pins: { type: 'array', items: pin } });
  expect([...codes('login'), ...codes('within')]).toEqual([]);
});
