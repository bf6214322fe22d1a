import type { JsonSchema } from '../schema/json-schema.js';
import type { Revival } from '../values/revival.js';
import { Exclude } from 'class-transformer';
import { InvalidOutputError, exactWriter } from './exact-writer.js';
import { outputWriter } from './output-writer.js';
import type { Undeclared } from './output-node.js';

/** The first value plans the writer; the others meet it planned. */
const OFTEN = 2;

interface Case {
  undeclared?: Undeclared;
  revival?: Revival;
}

/** The result of all forms of the writer for a value. They must be equal. */
function write(
  schema: JsonSchema,
  value: () => unknown,
  { undeclared = 'drop', revival }: Case = {},
): unknown {
  // Definitions are remembered by identity, so each writer gets a copy.
  const writer = outputWriter(structuredClone(schema), { undeclared, revival });
  const outcomes = Array.from({ length: OFTEN }, () => outcome(() => writer(value()).json));
  outcomes.push(outcome(() => exactWriter(schema, { undeclared, revival })(value()).json));
  for (const each of outcomes) expect(each).toEqual(outcomes[0]);
  return outcomes[0];
}

function outcome(run: () => string): unknown {
  try {
    return JSON.parse(run()) as unknown;
  } catch (error) {
    return error instanceof InvalidOutputError ? 'does not fit' : `${(error as Error).name}`;
  }
}

const text = { type: 'string' };
const person: JsonSchema = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: text, nick: text },
  required: ['id', 'name'],
};
const tree: JsonSchema = {
  $ref: '#/$defs/Tree',
  $defs: {
    Tree: {
      type: 'object',
      properties: { name: text, children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
      required: ['name'],
    },
  },
};

class Account {
  readonly #key = 'k';
  private readonly hash = 'x';
  protected readonly salt = 's';
  constructor(
    readonly id: number,
    readonly name: string,
  ) {}
  get secret(): string {
    return this.#key + this.hash + this.salt;
  }
}

class Row {
  readonly id = 1;
  readonly name = 'Ann';
  @Exclude() readonly nick = 'secret';
}

class Money {
  constructor(readonly cents: bigint) {}
  toJSON() {
    return { id: 1, name: `${this.cents} cents`, hash: 'x' };
  }
}

describe('only what is declared is sent', () => {
  const cases: [what: string, schema: JsonSchema, value: () => unknown, json: unknown][] = [
    ['a plain object', person, () => ({ id: 1, name: 'Ann', passwordHash: 'x' }), { id: 1, name: 'Ann' }],
    ['optional and undefined', person, () => ({ id: 1, name: 'A', nick: undefined }), { id: 1, name: 'A' }],
    ['a class with private fields', person, () => new Account(1, 'Ann'), { id: 1, name: 'Ann' }],
    ['@Exclude', person, () => new Row(), { id: 1, name: 'Ann' }],
    ['toJSON', person, () => new Money(5n), { id: 1, name: '5 cents' }],
    [
      'no prototype',
      person,
      () => Object.assign(Object.create(null), { id: 1, name: 'A', x: 1 }),
      { id: 1, name: 'A' },
    ],
    ['items', { type: 'array', items: person }, () => [{ id: 1, name: 'A', x: 1 }], [{ id: 1, name: 'A' }]],
    [
      'items of a Set',
      { type: 'array', items: person },
      () => new Set([{ id: 1, name: 'A', x: 1 }]),
      [{ id: 1, name: 'A' }],
    ],
    [
      'values of a map',
      { type: 'object', additionalProperties: person },
      () => new Map([['a', { id: 1, name: 'A', x: 1 }]]),
      { a: { id: 1, name: 'A' } },
    ],
    [
      'a tree',
      tree,
      () => ({ name: 'a', x: 1, children: [{ name: 'b', x: 1, children: [{ name: 'c', x: 1 }] }] }),
      { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] },
    ],
    [
      'the alternative that a tag tells',
      {
        anyOf: [
          {
            type: 'object',
            properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
            required: ['kind', 'radius'],
          },
          {
            type: 'object',
            properties: { kind: { const: 'square' }, side: { type: 'number' } },
            required: ['kind', 'side'],
          },
        ],
      },
      () => ({ kind: 'circle', radius: 1, side: 2 }),
      { kind: 'circle', radius: 1 },
    ],
    [
      'all alternatives that fit: a dog is an animal',
      {
        anyOf: [
          { type: 'object', properties: { name: text }, required: ['name'] },
          { type: 'object', properties: { name: text, tail: text }, required: ['name', 'tail'] },
        ],
      },
      () => ({ name: 'Rex', tail: 'long', chip: 'x' }),
      { name: 'Rex', tail: 'long' },
    ],
    [
      'the only alternative that fits',
      {
        anyOf: [
          { type: 'object', properties: { a: text, shared: text }, required: ['a'] },
          { type: 'object', properties: { b: text, secret: text }, required: ['b'] },
        ],
      },
      () => ({ a: '1', shared: '2', secret: '3' }),
      { a: '1', shared: '2' },
    ],
    [
      'parts that are declared apart',
      { type: 'object', allOf: [person, { properties: { age: { type: 'integer' } } }] },
      () => ({ id: 1, name: 'A', age: 3, x: 1 }),
      { id: 1, name: 'A', age: 3 },
    ],
    [
      'an object or null',
      { anyOf: [person, { type: 'null' }] },
      () => ({ id: 1, name: 'A', x: 1 }),
      { id: 1, name: 'A' },
    ],
    ['null for it', { anyOf: [person, { type: 'null' }] }, () => undefined, null],
    [
      'a tuple',
      { type: 'array', prefixItems: [person, text], items: false, minItems: 2 },
      () => [{ id: 1, name: 'A', x: 1 }, 'b'],
      [{ id: 1, name: 'A' }, 'b'],
    ],
    [
      'any object',
      { type: 'object' },
      () => ({ a: { b: new Date(0) } }),
      { a: { b: '1970-01-01T00:00:00.000Z' } },
    ],
    ['anything', {}, () => [1n, { a: undefined }], [1, {}]],
    [
      'other properties of a kind',
      { ...person, additionalProperties: { type: 'integer' } },
      () => ({ id: 1, name: 'A', a: 1 }),
      { id: 1, name: 'A', a: 1 },
    ],
    [
      'a closed object',
      { ...person, additionalProperties: false },
      () => ({ id: 1, name: 'A', a: 1 }),
      { id: 1, name: 'A' },
    ],
    [
      'names that objects inherit',
      {
        type: 'object',
        properties: { constructor: text, ['toString']: text, id: text },
        required: ['id'],
      } as unknown as JsonSchema,
      () => ({ id: 'a' }),
      { id: 'a' },
    ],
    [
      'undefined in a list',
      { type: 'array', items: { type: ['number', 'null'] } },
      () => [1, undefined],
      [1, null],
    ],
    [
      'a date',
      { type: 'object', properties: { at: { type: 'string', format: 'date-time' } } },
      () => ({ at: new Date(0) }),
      { at: '1970-01-01T00:00:00.000Z' },
    ],
    ['bytes', { type: 'string', contentEncoding: 'base64' }, () => new Uint8Array([104, 105]), 'aGk='],
    [
      'a bigint',
      { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?\\d+$' }] },
      () => 2n ** 70n,
      '1180591620717411303424',
    ],
    ['a URL', { type: 'string', format: 'uri' }, () => new URL('https://a.b/c'), 'https://a.b/c'],
    [
      'an iterator',
      { type: 'array', items: person },
      () => [{ id: 1, name: 'A', x: 1 }].values(),
      [{ id: 1, name: 'A' }],
    ],
    [
      'the document inside of itself',
      { type: 'object', properties: { inner: { $ref: '#' }, a: text } },
      () => ({ a: '1', inner: { a: '2', x: 1 } }),
      { a: '1', inner: { a: '2' } },
    ],
  ];

  it.each(cases)('%s', (_, schema, value, json) => {
    expect(write(schema, value)).toEqual(json);
  });

  it('a key called __proto__ is data', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"a":{"type":"string"}}}',
    ) as JsonSchema;
    const value = () => JSON.parse('{"__proto__":"x","a":"y","b":1}') as unknown;
    expect(write(schema, value)).toEqual(JSON.parse('{"__proto__":"x","a":"y"}'));
    expect(
      JSON.stringify(
        write(
          { type: 'object', additionalProperties: text },
          () => JSON.parse('{"__proto__":"x"}') as unknown,
        ),
      ),
    ).toBe('{"__proto__":"x"}');
    expect(write(schema, () => ({ a: 'y' }))).toEqual({ a: 'y' });
  });

  it('undeclared parts are not read: cycles, getters and numbers that JSON does not have', () => {
    const parent: Record<string, unknown> = { id: 1, name: 'A', children: [] };
    parent['children'] = [{ parent }];
    const value = Object.defineProperty(
      { id: 1, name: 'A', parent, rate: Number.NaN, lazy: undefined },
      'lazy',
      { enumerable: true, get: () => { throw new Error('asked the database'); } },
    ); // prettier-ignore
    expect(write(person, () => value)).toEqual({ id: 1, name: 'A' });
    // The same holds for the exact writer.
    expect(write({ ...person, patternProperties: { '^x-': text } }, () => value)).toEqual({
      id: 1,
      name: 'A',
    });
  });
});

describe('what breaks the schema is not sent', () => {
  const cases: [what: string, schema: JsonSchema, value: () => unknown, outcome?: string][] = [
    ['a wrong type', person, () => ({ id: '1', name: 'A' })],
    ['a fraction', person, () => ({ id: 1.5, name: 'A' })],
    ['a missing property', person, () => ({ id: 1 })],
    ['null', person, () => null],
    ['a list', person, () => []],
    [
      'a property of the class',
      person,
      () => Object.assign(Object.create({ name: 'A' }) as object, { id: 1 }),
    ],
    [
      'an error of the kind that was expected',
      { type: 'object', properties: { message: text }, required: ['message'] },
      () => new Error('x'),
    ],
    ['NaN', { type: 'number' }, () => Number.NaN, 'NotJsonError'],
    ['an invalid date', text, () => new Date('never'), 'NotJsonError'],
    ['too few items', { type: 'array', items: text, minItems: 2 }, () => ['a']],
    ['too many items', { type: 'array', items: text, maxItems: 1 }, () => ['a', 'b']],
    ['equal items', { type: 'array', items: text, uniqueItems: true }, () => ['a', 'a']],
    ['a short text', { type: 'string', minLength: 2 }, () => 'a'],
    ['another pattern', { type: 'string', pattern: '^a' }, () => 'b'],
    ['another format', { type: 'string', format: 'date-time' }, () => 'yesterday'],
    ['out of bounds', { type: 'number', exclusiveMaximum: 5 }, () => 5],
    ['not a multiple', { type: 'number', multipleOf: 2 }, () => 5],
    ['no such constant', { enum: ['a', null] }, () => 'b'],
    [
      'no such tag',
      {
        anyOf: [
          { type: 'object', properties: { t: { const: 1 } }, required: ['t'] },
          { type: 'object', properties: { t: { const: 2 } }, required: ['t'] },
        ],
      },
      () => ({ t: 3 }),
    ],
    ['none of the types', { anyOf: [{ type: 'string' }, { type: 'boolean' }] }, () => 5],
    ['two of one', { oneOf: [{ type: 'number' }, { type: 'integer' }] }, () => 5],
    [
      'a tuple that is too long',
      { type: 'array', prefixItems: [text], items: false, maxItems: 1 },
      () => ['a', 'b'],
    ],
  ];

  it.each(cases)('%s', (_, schema, value, expected = 'does not fit') => {
    expect(write(schema, value)).toBe(expected);
  });

  it('a value that contains itself', () => {
    const cycle: { name: string; children: unknown[] } = { name: 'a', children: [] };
    cycle.children.push(cycle);
    expect(write(tree, () => cycle)).toBe('NotJsonError');
  });

  it('is reported with its path, without its value', () => {
    const writer = outputWriter({ type: 'array', items: person }, { undeclared: 'drop' });
    expect(() => writer([{ id: 'secret', name: 'A' }])).toThrow('[0].id: expected an integer');
    expect(() => writer([{ id: 'secret', name: 'A' }])).not.toThrow('secret');
  });
});

describe('an undeclared part', () => {
  const extra = () => ({ id: 1, name: 'A', passwordHash: 'x' });

  it('is kept if the option says so, as far as the schema allows', () => {
    expect(write(person, extra, { undeclared: 'keep' })).toEqual(extra());
    expect(write({ ...person, additionalProperties: false }, extra, { undeclared: 'keep' })).toBe(
      'does not fit',
    );
  });

  it('is refused with its name if the option says so', () => {
    expect(write(person, extra, { undeclared: 'refuse' })).toBe('does not fit');
    expect(write(person, () => ({ id: 1, name: 'A' }), { undeclared: 'refuse' })).toEqual({
      id: 1,
      name: 'A',
    });
    const writer = outputWriter({ type: 'array', items: person }, { undeclared: 'refuse' });
    expect(() => writer([extra()])).toThrow(
      '[0].passwordHash: expected nothing: the output schema does not declare it',
    );
  });
});

it('a map of pairs is written as its type says', () => {
  const pairs: JsonSchema = {
    type: 'array',
    items: { type: 'array', prefixItems: [text, text], items: false, minItems: 2 },
  };
  const revival: Revival = { kind: 'map', pairs: true };
  expect(write(pairs, () => new Map([['a', 'b']]), { revival })).toEqual([['a', 'b']]);
});

it('names and constants of any characters are written', () => {
  const name = `'"\`\${globalThis.broken = true}\\'];\u2028`;
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      [name]: { const: name },
      tag: {
        anyOf: [
          { type: 'object', properties: { [name]: { const: name } }, required: [name] },
          { type: 'object', properties: { [name]: { const: 'b' } }, required: [name] },
        ],
      },
    },
    required: [name],
  };
  const value = { [name]: name, tag: { [name]: name } };
  expect(write(schema, () => value)).toEqual(value);
});
