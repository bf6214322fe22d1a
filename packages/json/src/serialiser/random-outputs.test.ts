import type { JsonSchema } from '../schema/json-schema.js';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isDeepStrictEqual } from 'node:util';
import { outputWriter, writerOf } from './output-writer.js';
import { InvalidOutputError, exactWriter } from './exact-writer.js';
import { writeWhole } from './json-text.js';

function outcome(run: () => string): unknown {
  try {
    return JSON.parse(run()) as unknown;
  } catch (error) {
    return error instanceof InvalidOutputError ? 'does not fit' : `${(error as Error).name}`;
  }
}

describe('any value of any schema', () => {
  const ajv = new Ajv2020({ strict: false, ownProperties: true });
  addFormats(ajv as never);

  /** The same numbers in every run. */
  function randomly(seed: number) {
    let state = seed;
    const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
    const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)]!;
    return { next, pick };
  }

  // Ajv has errors with names that objects inherit. Other tests use these names.
  const names = ['a', 'b', 'c', 'kind', 'd'];

  function randomSchema({ next, pick }: ReturnType<typeof randomly>, depth: number): JsonSchema {
    const inner = () => randomSchema({ next, pick }, depth - 1);
    const simple: JsonSchema[] = [
      { type: 'string' }, { type: 'number' }, { type: 'integer', minimum: 0 }, { type: 'boolean' }, { type: 'null' },
      { type: 'string', minLength: 2 }, { enum: ['x', 1, null] }, { const: 'x' }, { type: ['string', 'null'] }, {},
      { type: 'string', pattern: '^x' },
    ]; // prettier-ignore
    if (depth === 0) return pick(simple);
    const object = (): JsonSchema => {
      const properties = JSON.parse('{}') as Record<string, JsonSchema>;
      for (const name of names)
        if (next() < 0.5)
          Object.defineProperty(properties, name, {
            value: inner(),
            enumerable: true,
            configurable: true,
            writable: true,
          });
      const required = Object.keys(properties).filter(() => next() < 0.4);
      const others = pick([undefined, undefined, undefined, false, true, inner()]);
      return {
        type: 'object',
        properties,
        ...(required.length && { required }),
        ...(others !== undefined && { additionalProperties: others }),
      };
    };
    const tagged = (tag: string): JsonSchema => {
      const { properties, required = [], ...rest } = object();
      return {
        ...rest,
        properties: { ...properties, kind: { const: tag } },
        required: [...new Set([...required, 'kind'])],
      };
    };
    return pick<() => JsonSchema>([
      object, object, object,
      () => ({ type: 'array', items: inner() }),
      () => ({ type: 'array', prefixItems: [inner(), inner()], items: pick([false, inner()]) }),
      () => ({ anyOf: [tagged('x'), tagged('y')] }), () => ({ anyOf: [object(), tagged('x')] }),
      () => ({ anyOf: [inner(), inner()] }),
      () => ({ oneOf: [inner(), { type: 'null' }] }),
      () => ({ type: 'object', allOf: [object(), object()] }),
      () => ({ anyOf: [object(), { $ref: '#/$defs/node' }] }),
      () => ({ $ref: '#/$defs/node' }),
    ])(); // prettier-ignore
  }

  /** Usually what the schema asks for, sometimes with additions. */
  function randomValue(
    schema: JsonSchema,
    random: ReturnType<typeof randomly>,
    root: JsonSchema,
    depth = 6,
  ): unknown {
    const { next, pick } = random;
    if (next() < 0.03 || depth === 0)
      return pick<unknown>(['x', 'xy', 1, 2.5, true, null, [], {}, ['x'], { a: 'x', z: 1 }]);
    const inner = (each: JsonSchema) => randomValue(each, random, root, depth - 1);
    if (schema.$ref) return inner(root.$defs!['node']!);
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches) return inner(pick(branches));
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each) => inner(each))) as object;
    if (schema.enum) return pick(schema.enum);
    if ('const' in schema) return schema.const;
    const type = pick([schema.type].flat());
    if (type === 'object') {
      const value = {};
      const put = (name: string, part: unknown) =>
        Object.defineProperty(value, name, {
          value: part,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      for (const [name, each] of Object.entries(schema.properties ?? {}))
        if (schema.required?.includes(name) || next() < 0.7) put(name, inner(each));
      if (next() < 0.4) put('secret', pick<unknown>(['x', { a: 1 }, undefined]));
      return value;
    }
    if (type === 'array') {
      const { prefixItems = [], items } = schema;
      const rest = typeof items === 'object' && next() < 0.7 ? [inner(items), inner(items)] : [];
      return [...prefixItems.map(inner), ...rest];
    }
    return (
      {
        string: pick(['x', 'xy', 'x"\n\u202e']),
        number: pick([1, -0, 2.5]),
        integer: 3,
        boolean: true,
        null: null,
      }[type as string] ?? pick(['x', 1])
    );
  }

  it('has the same result as validating, leaving out and JSON.stringify', () => {
    const random = randomly(20);
    let written = 0;
    let left = 0;
    let inOnePass = 0;
    for (let round = 0; round < 16; round++) {
      const node = { type: 'object', properties: { a: { type: 'string' }, next: { $ref: '#/$defs/node' } } };
      const schema: JsonSchema = { ...randomSchema(random, 3), $defs: { node } };
      const validate = ajv.compile(schema);
      const refused = outputWriter(schema, { undeclared: 'refuse' });
      const fast = outputWriter(schema, { undeclared: 'drop' });
      const kept = outputWriter(schema, { undeclared: 'keep' });
      const exact = exactWriter(schema, { undeclared: 'drop' });
      for (let count = 0; count < 24; count++) {
        const value = randomValue(schema, random, schema);
        const expected = outcome(() => exact(value).json);
        expect(outcome(() => fast(value).json)).toEqual(expected);
        const json = JSON.stringify(value) as string | undefined;
        const fits = validate(JSON.parse(json ?? 'null'));
        expect(outcome(() => kept(value).json)).toEqual(fits ? JSON.parse(json ?? 'null') : 'does not fit');
        if (expected === 'does not fit') continue;
        written++;
        expect(validate(expected)).toBe(true);
        if (JSON.stringify(expected).length < (json ?? '').length) left++;
        const given = JSON.parse(json ?? 'null') as unknown;
        // If nothing was left out of it, nothing is refused, and otherwise something is.
        if (fits)
          expect(outcome(() => refused(given).json)).toEqual(
            isDeepStrictEqual(expected, given) ? given : 'does not fit',
          );
        if (typeof given === 'object' && given !== null) expect(given).toMatchObject(expected as object);
        if (writeWhole(writerOf(schema, { undeclared: 'drop' }), value)) inOnePass++;
        // What was written is declared. Writing it again does not change it, even if undeclared parts are
        // refused.
        expect(outcome(() => fast(expected).json)).toEqual(expected);
      }
    }
    // The test covers enough valid values.
    expect(written).toBeGreaterThan(80);
    expect(left).toBeGreaterThan(20);
    expect(inOnePass).toBeGreaterThan(written / 2);
  });
});
