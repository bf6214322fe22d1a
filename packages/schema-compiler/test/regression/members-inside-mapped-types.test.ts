import { useEntries } from '../use-entries.js';

const entries = useEntries(
  {
    'src/tools.ts': `
import { McpService, McpTool, Sensitive } from '@toolwright/core';
import { Max } from 'class-validator';
/** @TJS-type integer */ type Whole = number;
interface Row {
  /** @TJS-type integer */ n: number;
  /** @minItems 2 */ names: string[];
  /** Says. @sensitive */ pin: string;
  whole: Whole;
}
export class Dto { @Max(5) it!: number; @Sensitive() pin!: string }
type Lists<T> = { [K in keyof T]: T[K][] };
type Objects<T> = { [K in keyof T]: { value: T[K] } };
const key = 'localKey';
enum Keys { Other = 'otherKey' }
type Computed = { /** @sensitive */ [key]: string; [Keys.Other]?: number };
interface Secret { pin: Hidden }
/** @sensitive @minLength 4 */ type Hidden = string;
/** @maxItems 2 */ type Few = string[];
interface Tagged { tags: Few }
class Login implements Secret, Tagged { pin!: string; tags!: string[] }
const Upper = (most: number): PropertyDecorator => (target, key) => Max(most)(target, key as string);
export class Composed { @Upper(5) n!: number; @Max(5) m!: number }
export class Made implements Composed { n!: number; m!: number }
export class Child extends Composed { declare n: number }
interface Wider extends Composed { more?: string }
interface Again extends Composed { n: number }
@McpService()
export class Tools {
  @McpTool() made(value: Made, more: string): void {}
  @McpTool() wider(value: Wider, more: string): void {}
  @McpTool() again(value: Again, more: string): void {}
  @McpTool() alone(value: Composed['n'], more: string): void {}
  @McpTool() listed(value: { n: Composed['n'][] }, more: string): void {}
  @McpTool() child(value: Child, more: string): void {}
  @McpTool() whole(value: Composed[], more: string): void {}
  @McpTool() known(value: Composed['m'], more: { m: Composed['m'] | null }): void {}
  @McpTool() lists(value: Lists<Row>, more: string): void {}
  @McpTool() objects(value: Objects<Row>, more: string): void {}
  @McpTool() dto(value: Objects<Dto>, more: string): void {}
  @McpTool() listsOfDto(value: Lists<Dto>, more: string): void {}
  @McpTool() computed(value: Computed[], more: string): Computed { return null!; }
  @McpTool() implemented(value: Login, more: string): void {}
}`,
  },
  ['class-validator'],
);

const members = (name: string) => {
  const { input, diagnostics } = entries.get(name)!;
  expect(diagnostics).toEqual([]);
  return input.properties!['value']!.properties;
};

test('lists of the values of a property have its words, and their items its limits', () => {
  expect(members('lists')).toEqual({
    n: { type: 'array', items: { type: 'integer' } },
    names: { type: 'array', items: { type: 'array', minItems: 2, items: { type: 'string' } } },
    pin: expect.objectContaining({
      type: 'array',
      writeOnly: true,
      items: expect.objectContaining({ type: 'string', writeOnly: true }),
    }),
    whole: { type: 'array', items: { type: 'integer' } },
  });
  expect(members('listsOfDto')).toEqual({
    it: { type: 'array', items: { type: 'number', maximum: 5 } },
    pin: { type: 'array', writeOnly: true, items: { type: 'string', writeOnly: true } },
  });
});

test('objects around the values of a property stay objects', () => {
  expect(members('objects')).toMatchObject({
    n: { type: 'object', properties: { value: { type: 'integer' } } },
    names: { type: 'object', properties: { value: { type: 'array', minItems: 2 } } },
    pin: { type: 'object', writeOnly: true, properties: { value: { type: 'string', writeOnly: true } } },
    whole: { type: 'object', properties: { value: { type: 'integer' } } },
  });
  expect(members('dto')).toMatchObject({
    it: { type: 'object', properties: { value: { type: 'number', maximum: 5 } } },
    pin: { type: 'object', writeOnly: true },
  });
});

test('a type whose names are all computed has its members', () => {
  const { input, output } = entries.get('computed')!;
  expect(input.properties!['value']!['items']).toEqual({
    type: 'object',
    properties: { localKey: { type: 'string', writeOnly: true }, otherKey: { type: 'number' } },
    required: ['localKey'],
    additionalProperties: false,
  });
  expect(output!.properties!['localKey']).toEqual({ type: 'string', 'x-sensitive': true });
});

test('the mark of an alias stays where the member is declared again without the alias', () => {
  expect(members('implemented')).toEqual({
    pin: { type: 'string', minLength: 4, writeOnly: true },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
  });
});

test.each(['made', 'wider', 'again', 'alone', 'listed'])(
  'a rule that only the running class knows fails the build where no such class runs: %s',
  (name) => {
    const errors = entries.get(name)!.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors).toEqual([expect.objectContaining({ code: 'TW_SCHEMA_LOST_RULE', file: 'src/tools.ts' })]);
  },
);

test.each(['child', 'whole', 'known'])(
  'where the class runs, or the rule is in the source, it does not: %s',
  (name) => {
    expect(entries.get(name)!.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  },
);
