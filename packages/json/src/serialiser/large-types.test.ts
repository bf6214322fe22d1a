import type { JsonSchema } from '../schema/json-schema.js';
import { validatorFor } from '../validation/validator.js';
import { outputWriter } from './output-writer.js';

/**
 * Like the types of SDKs: each object refers to others, in choices without a distinguishing constant, and
 * some have formats.
 */
function graphOf(size: number): JsonSchema & { $defs: Record<string, JsonSchema> } {
  const $defs: Record<string, JsonSchema> = {};
  for (let index = 0; index < size; index++) {
    const next = { $ref: `#/$defs/type${(index + 1) % size}` };
    const other = { $ref: `#/$defs/type${(index * 7 + 3) % size}` };
    $defs[`type${index}`] = {
      type: 'object',
      properties: {
        id: { type: 'string', pattern: '^[a-z]+$' },
        at: { type: 'string', format: 'date-time' },
        next: { anyOf: [{ type: 'string' }, next, other] },
      },
      required: ['id'],
      additionalProperties: false,
    };
  }
  return { type: 'object', properties: { root: { $ref: '#/$defs/type0' } }, required: ['root'], $defs };
}

const value = (depth: number): object => ({
  id: 'a',
  at: '2026-01-02T03:04:05Z',
  ...(depth > 0 && { next: value(depth - 1) }),
});

test('values of a large type are judged along their own paths, as arguments and as results', () => {
  const schema = graphOf(300);
  const validate = validatorFor(schema, 'caller');
  expect(validate({ root: value(4) })).toBeUndefined();
  expect(validate({ root: { ...value(4), at: 'soon', other: 1 } })).toEqual([
    expect.objectContaining({ pointer: '/root/other' }),
    expect.objectContaining({ pointer: '/root/at', keyword: 'format' }),
  ]);
  const write = outputWriter(schema, { undeclared: 'drop' });
  for (let turn = 0; turn < 20; turn++)
    expect(JSON.parse(write({ root: { ...value(4), secret: 1 } }).json)).toEqual({ root: value(4) });
  expect(() => write({ root: { ...value(4), at: 'soon' } })).toThrow('output schema');
});

test('how often a definition is read does not depend on the number of choices in a result', () => {
  const readsAt = (depth: number): number => {
    let reads = 0;
    const schema = graphOf(40);
    schema.$defs.far = Object.defineProperty({}, 'description', {
      enumerable: true,
      get: () => `${++reads}`,
    });
    const write = outputWriter(schema, { undeclared: 'drop' });
    write({ root: value(depth) });
    return reads;
  };
  expect(readsAt(3)).toBeGreaterThan(0);
  expect(readsAt(6)).toBe(readsAt(3));
});
