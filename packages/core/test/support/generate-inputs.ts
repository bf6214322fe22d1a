import type { JsonSchema } from '@toolwright/json';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { size } from '../../../../.ci/test/support/proof.js';

/** Texts in the forms that validators know, valid and nearly valid ones. */
const TEXTS = [
  'ab', 'abc', 'a', 'x.y', 'hello', 'Hello World', 'a-b', 'name', 'date', 'true', 'false', '1', '12', '1.5', '-3', '', ' ', ' a ',
  'user@example.com', 'first.last+tag@mail.example.org', 'user@localhost', 'https://example.com/a?b=c', 'http://localhost:3000',
  'example.com', 'mailto:a@b.de', 'ftp://files.example.com', '2020-01-01', '2020-01-01T10:20:30Z', '2020-01-01T10:20:30.123+02:00',
  '2020-02-30', '2020-13-45', '2020', '10:20', '2020-01-01 10:20', '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  '7c9e6679-7425-10de-944b-e07fc1f90ae7', '00000000-0000-0000-0000-000000000000', 'urn:uuid:7c9e6679-7425-40de-944b-e07fc1f90ae7',
  '127.0.0.1', '::1', '999.1.1.1', '507f1f77bcf86cd799439011', '#fff', '#a0b1c2', '1.2.3', 'v1', '1.2.3-beta.1', '{"a":1}', '[1]',
  'admin', 'member', 'root', 'size', 'a,b', 'password1', 'a text that is longer than forty characters are', 'ÄÖ', 'é', 'any', 'circle', '❤️', '😀😀😀', '😀\u{FE0F}', '{not json}',
]; // prettier-ignore

const NUMBERS = [0, 1, 2, 3, 5, 7, 10, 42, 100, 150, 151, -1, 1.5, 19.99, 0.001, 1e21, -90.5];

const WRONG: unknown[] = [
  null,
  '',
  'text',
  ' ',
  0,
  1.5,
  -1,
  true,
  false,
  {},
  { a: 1 },
  [],
  [null],
  ['a'],
  [1],
  [{}],
];

const MOST_PATTERN_TEXTS = 6;
const MOST_MUTATED = 110 * size;
const DEPTH = 4;

const ajv = new Ajv2020({ strict: false, logger: false, allErrors: false, addUsedSchema: false });
addFormats.default(ajv);

/** By the schema as text: most properties of made-up classes have the same few. */
const compiled = new Map<string, (value: unknown) => boolean>();

/** Creates inputs for a tool from its published schema. The same schema gives the same inputs. */
export class InputGenerator {
  private known: Record<string, unknown>[] | undefined;

  constructor(private readonly root: JsonSchema) {}

  /**
   * Objects that the schema accepts, with each possible value of a property, and without each optional
   * property.
   */
  valid(): Record<string, unknown>[] {
    const accepts = this.accepts(this.root);
    return (this.known ??= distinct(this.values(this.root, 0)).filter(accepts) as Record<string, unknown>[]);
  }

  /** A valid input with one change, at any depth. Some of these inputs are still valid. */
  mutated(): Record<string, unknown>[] {
    const valid = this.valid();
    const bases = [valid[0], valid.at(-1)].filter((base) => base !== undefined);
    const names = Object.keys(this.root.properties ?? {});
    const full = Object.assign({}, ...valid) as Record<string, unknown>;
    const inputs = [...bases, full, {}].flatMap((base, index) =>
      this.changes(base, names, index === 2 ? [...WRONG, ...TEXTS] : WRONG),
    );
    const all = distinct(inputs) as Record<string, unknown>[];
    const step = Math.max(1, all.length / MOST_MUTATED);
    return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
  }

  private accepts(schema: JsonSchema): (value: unknown) => boolean {
    const { $defs } = this.root;
    const whole = $defs && schema !== this.root ? { ...schema, $defs } : schema;
    const text = JSON.stringify(whole);
    const known = compiled.get(text) ?? (ajv.compile(whole) as (value: unknown) => boolean);
    compiled.set(text, known);
    return known;
  }

  private values(given: JsonSchema, depth: number): unknown[] {
    const schema = this.resolve(given);
    if (schema.const !== undefined) return [schema.const];
    if (schema.enum) return [...schema.enum];
    const options = schema.anyOf ?? schema.oneOf;
    if (options) {
      const { anyOf: _any, oneOf: _one, ...shared } = schema;
      return options.flatMap((option) => this.values({ ...shared, ...option }, depth));
    }
    const types = [schema.type ?? ['string', 'number', 'object', 'boolean']].flat();
    return types.flatMap((type) => this.ofType(type, schema, depth));
  }

  private ofType(type: string, schema: JsonSchema, depth: number): unknown[] {
    switch (type) {
      case 'null':
        return [null];
      case 'boolean':
        return [true, false];
      case 'string':
        return [...TEXTS, ...textsOfPattern(schema)].filter(this.accepts({ ...schema, type: 'string' }));
      case 'integer':
      case 'number':
        return NUMBERS.filter(this.accepts({ ...schema, type }));
      case 'array':
        return this.lists(schema, depth);
      default:
        return this.objects(schema, depth);
    }
  }

  private lists(schema: JsonSchema, depth: number): unknown[] {
    const items =
      typeof schema.items === 'object' && depth < DEPTH ? this.values(schema.items, depth + 1) : [];
    const lists = [
      [],
      ...items.map((item) => [item]),
      items.slice(0, 2),
      items.slice(0, 3),
      items.slice(0, 4),
    ];
    return lists.filter(this.accepts({ ...schema, type: 'array' }));
  }

  /** One object with the first value of each property, then one change at a time. */
  private objects({ properties = {}, required = [] }: JsonSchema, depth: number): unknown[] {
    if (depth > DEPTH) return [];
    const values = new Map(
      Object.entries(properties).map(([name, property]) => [name, this.values(property, depth + 1)]),
    );
    const needed = [...values].filter(([name]) => required.includes(name));
    const pick = (entries: [string, unknown[]][]) =>
      Object.fromEntries(entries.filter(([, all]) => all.length > 0).map(([name, all]) => [name, all[0]]));
    const least = pick(needed);
    const most = pick([...values]);
    const changed = [...values].flatMap(([name, all]) => all.map((value) => ({ ...most, [name]: value })));
    const without = Object.keys(most)
      .filter((name) => !required.includes(name))
      .map((name) => Object.fromEntries(Object.entries(most).filter(([key]) => key !== name)));
    return [least, most, ...changed, ...without];
  }

  private changes(
    base: Record<string, unknown>,
    names: readonly string[],
    values: readonly unknown[],
  ): Record<string, unknown>[] {
    const missing = Object.keys(base).map((name) => omit(base, name));
    const wrong = names.flatMap((name) => values.map((value) => ({ ...base, [name]: value })));
    const deeper = Object.entries(base).flatMap(([name, value]) =>
      this.changesInside(value).map((changed) => ({ ...base, [name]: changed })),
    );
    return [...missing, ...wrong, ...deeper, { ...base, unknown: 1 }];
  }

  private changesInside(value: unknown): unknown[] {
    if (Array.isArray(value)) {
      const [first] = value as unknown[];
      return [...WRONG, ...this.changesInside(first)].map((changed) => [
        changed,
        ...(value.slice(1) as unknown[]),
      ]);
    }
    if (typeof value !== 'object' || value === null) return [];
    return this.changes(value as Record<string, unknown>, Object.keys(value), WRONG);
  }

  private resolve(schema: JsonSchema): JsonSchema {
    const { $ref, ...rest } = schema;
    if ($ref === undefined) return schema;
    const target = $ref === '#' ? this.root : this.root.$defs?.[$ref.replace('#/$defs/', '')];
    return this.resolve({ ...target, ...rest });
  }
}

function textsOfPattern({ pattern }: JsonSchema): string[] {
  if (pattern === undefined) return [];
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: MOST_PATTERN_TEXTS, seed: 7 });
  } catch {
    // Not every regular expression can be turned into a matching text.
    return [];
  }
}

function omit(object: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

function distinct(values: unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
