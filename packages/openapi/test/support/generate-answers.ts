import type { Schema } from '../../src/read/openapi-document';
import type { Specification } from '../../src/read/specification';

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Makes values that a schema of a specification allows, as far as its keywords are simple. Another check says which fit. */
export class AnswerGenerator {
  constructor(
    private readonly specification: Specification,
    private readonly random: () => number,
  ) {}

  value(node: Schema | boolean | undefined, depth = 0): unknown {
    if (typeof node !== 'object') return this.anything(depth);
    const schema = this.specification.resolve<Schema>(node).value;
    if (schema.nullable === true && schema.type !== undefined && this.happens(0.2)) return null;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum && schema.enum.length > 0) return this.oneOf(schema.enum);
    if (schema.allOf) return this.ofAll(schema, depth);
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives && alternatives.length > 0) return this.ofOne(schema, alternatives, depth);
    return this.ofType(this.oneOf([schema.type ?? guessedType(schema)].flat()), schema, depth);
  }

  private ofType(type: string | undefined, schema: Schema, depth: number): unknown {
    switch (type) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return this.list(schema, depth);
      case 'string':
        return this.text(schema);
      case 'integer':
      case 'number':
        return this.number(schema, type === 'integer');
      case 'boolean':
        return this.happens(0.5);
      case 'null':
        return null;
      default:
        return this.anything(depth);
    }
  }

  private object(schema: Schema, depth: number): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      const isWanted = schema.required?.includes(name) || this.happens(depth > 4 ? 0.1 : 0.8);
      if (member !== false && isWanted && name !== '__proto__') found[name] = this.value(member, depth + 1);
    }
    for (const name of schema.required ?? [])
      if (!Object.hasOwn(found, name)) found[name] = this.anything(depth);
    const { additionalProperties: more, patternProperties } = schema;
    if (typeof more === 'object' && !patternProperties && this.happens(0.7))
      found['x-more'] = this.value(more, depth + 1);
    return found;
  }

  private list(schema: Schema, depth: number): unknown[] {
    const first = (schema.prefixItems ?? []).map((each) => this.value(each, depth + 1));
    const least = Math.max(schema.minItems ?? 0, depth > 8 ? 0 : 1) - first.length;
    const count =
      schema.items === false ? 0 : Math.max(least, depth > 3 ? 0 : Math.floor(this.random() * 3), 0);
    return [...first, ...Array.from({ length: count }, () => this.value(schema.items, depth + 1))];
  }

  /** The parts of an `allOf` together: objects with the members of all, and otherwise the first that has a type. */
  private ofAll({ allOf = [], ...own }: Schema, depth: number): unknown {
    if (depth > 12) return {};
    const parts = [own, ...allOf].filter((each) =>
      Object.keys(each).some((key) => !/^(?:description|title|nullable|example)$/.test(key)),
    );
    const values = parts.map((each) => this.value(each, depth + 1));
    const objects = values.filter(
      (each) => typeof each === 'object' && each !== null && !Array.isArray(each),
    );
    return objects.length === values.length ? (Object.assign({}, ...objects) as unknown) : values[0];
  }

  private ofOne(schema: Schema, alternatives: readonly Schema[], depth: number): unknown {
    const { oneOf: _one, anyOf: _any, ...own } = schema;
    const chosen = this.value(depth > 5 ? alternatives.at(-1) : this.oneOf(alternatives), depth + 1);
    if (own.properties === undefined || typeof chosen !== 'object' || chosen === null) return chosen;
    return { ...this.object(own, depth), ...chosen };
  }

  private text({ minLength = 0, maxLength = 12, format }: Schema): string {
    if (format === 'date-time') return '2026-01-02T03:04:05Z';
    return this.oneOf(['a b/ü', '', '<b>x</b>', '1', 'null', 'Zürich 😀'])
      .padEnd(minLength, 'x')
      .slice(0, maxLength);
  }

  private number({ minimum = -1_000, maximum = 1_000, multipleOf }: Schema, isInteger: boolean): number {
    const value = minimum + this.random() * (maximum - minimum);
    if (multipleOf !== undefined) return Math.ceil(minimum / multipleOf) * multipleOf;
    return isInteger ? Math.min(Math.ceil(value), maximum) : value;
  }

  private anything(depth: number): unknown {
    const values = [null, true, 7, 'any', [1, null, ['a']], { a: { b: [2] } }];
    return this.oneOf(depth > 6 ? values.slice(1, 4) : values);
  }

  private happens(probability: number): boolean {
    return this.random() < probability;
  }

  private oneOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)]!;
  }
}

function guessedType({ properties, additionalProperties, items, prefixItems }: Schema): string | undefined {
  if (properties || typeof additionalProperties === 'object') return 'object';
  return items || prefixItems ? 'array' : undefined;
}

/** Odd schemas, as people write them and as programs do. */
export class SchemaGenerator {
  constructor(private readonly random: () => number) {}

  schema(depth = 0): Record<string, unknown> {
    const kinds =
      depth > 4
        ? ['scalar', 'enum', 'any']
        : [
            'scalar',
            'enum',
            'any',
            'list',
            'list',
            'object',
            'object',
            'map',
            'tuple',
            'either',
            'all',
            'types',
          ];
    const schema = this.ofKind(this.oneOf(kinds), depth);
    return 'type' in schema && typeof schema['type'] === 'string' && this.random() < 0.2
      ? { ...schema, nullable: true }
      : schema;
  }

  private ofKind(kind: string, depth: number): Record<string, unknown> {
    const inner = () => this.schema(depth + 1);
    switch (kind) {
      case 'enum':
        return { enum: this.oneOf<unknown[]>([['a', 'b'], ['a', 1, true], ['a', null], [1, 2.5], [null]]) };
      case 'any':
        return this.oneOf([{}, { description: 'Any.' }, { nullable: true }]);
      case 'list':
        return { type: 'array', ...(this.random() < 0.8 && { items: inner() }) };
      case 'object':
        return this.object(depth);
      case 'map':
        return {
          ...(this.random() < 0.5 && this.object(depth)),
          type: 'object',
          additionalProperties: this.random() < 0.3 ? true : {},
        };
      case 'tuple':
        return {
          type: 'array',
          prefixItems: [inner(), inner()],
          ...(this.random() < 0.5 && { items: false }),
        };
      case 'either':
        return {
          [this.oneOf(['oneOf', 'anyOf'])]: [
            inner(),
            inner(),
            ...(this.random() < 0.4 ? [{ type: 'null' }] : []),
          ],
        };
      case 'all':
        return { allOf: [this.object(depth), this.object(depth)] };
      case 'types':
        return {
          type: this.oneOf([
            ['string', 'null'],
            ['integer', 'string'],
            ['array', 'object', 'null'],
            ['object', 'boolean'],
          ]),
        };
      default:
        return { type: this.oneOf(['string', 'integer', 'number', 'boolean']) };
    }
  }

  private object(depth: number): Record<string, unknown> {
    const names = [
      'id',
      'name',
      'value',
      'constructor',
      'data',
      'toString',
      'odd name',
      'content',
      'status',
      'type',
    ];
    const chosen = names.filter(() => this.random() < 0.4);
    return {
      type: 'object',
      properties: Object.fromEntries(chosen.map((name) => [name, this.schema(depth + 1)])),
      ...(chosen.length > 0 && this.random() < 0.3 && { required: [this.oneOf(chosen)] }),
    };
  }

  private oneOf<T>(values: readonly T[]): T {
    return values[Math.floor(this.random() * values.length)]!;
  }
}
