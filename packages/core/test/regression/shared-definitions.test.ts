import {
  type JsonSchema,
  findSchemaProblems,
  sensitiveParts,
  toClientSafe,
  validatorFor,
} from '@toolwright/json';

/** Thirty definitions, each of which uses the next one twice. A walk along all paths would never end. */
const LEVELS = 30;

function lattice(last: JsonSchema): JsonSchema {
  const $defs: Record<string, JsonSchema> = { [`L${LEVELS}`]: last };
  for (let level = 0; level < LEVELS; level++) {
    const next = { $ref: `#/$defs/L${level + 1}` };
    $defs[`L${level}`] = {
      type: 'object',
      description: `Level ${level} ${'with some words of its own '.repeat(8)}`,
      properties: { left: next, right: next, either: { anyOf: [next, { type: 'null' }] } },
      additionalProperties: false,
    };
  }
  return { type: 'object', properties: { top: { $ref: '#/$defs/L0' } }, additionalProperties: false, $defs };
}

const deep = (value: unknown): unknown =>
  Array.from({ length: LEVELS }).reduce((inner) => ({ left: inner }), value);

test('a published schema keeps references if it would be large without them', () => {
  const schema = lattice({ type: 'string' });
  const published = toClientSafe(schema, { role: 'input' });
  expect(JSON.stringify(published).length).toBeLessThan(JSON.stringify(schema).length * 1.2);
  expect(Object.keys(published.$defs!)).toHaveLength(LEVELS + 1);
});

test('a value is checked along its own paths, and the place of an error is reported', () => {
  const validate = validatorFor(lattice({ type: 'string', pattern: '^a' }), 'caller');
  expect(validate({ top: deep('abc') })).toBeUndefined();
  expect(validate({ top: deep('xyz') })).toMatchObject([
    { pointer: `/top${'/left'.repeat(LEVELS)}`, keyword: 'pattern' },
  ]);
  expect(validate({ top: { left: { wrong: 1 } } })).toMatchObject([{ pointer: '/top/left/wrong' }]);
});

test('if alternatives are references, the one that was meant is reported', () => {
  const block = (kind: string): JsonSchema => ({
    type: 'object',
    properties: { kind: { const: kind }, text: { type: 'string' }, inner: { $ref: '#/$defs/inner' } },
    required: ['kind', 'text'],
    additionalProperties: false,
  });
  const validate = validatorFor(
    {
      type: 'object',
      properties: { block: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] } },
      $defs: {
        a: block('a'),
        b: block('b'),
        inner: { type: 'object', properties: { n: { type: 'number' } } },
      },
    },
    'caller',
  );
  expect(validate({ block: { kind: 'b', text: 'x' } })).toBeUndefined();
  expect(validate({ block: { kind: 'b' } })).toMatchObject([{ pointer: '/block/text', keyword: 'required' }]);
  expect(validate({ block: { kind: 'b', text: 'x', inner: { n: 'y' } } })).toMatchObject([
    { pointer: '/block/inner/n', keyword: 'type' },
  ]);
});

test('schemas with different definitions of the same name do not share them', () => {
  const of = (type: string): JsonSchema => ({ $ref: '#/$defs/x', $defs: { x: { type } } });
  expect(validatorFor(of('string'), 'caller')('a')).toBeUndefined();
  expect(validatorFor(of('number'), 'caller')('a')).toMatchObject([{ keyword: 'type' }]);
});

test('no walk over a schema follows all paths', () => {
  const schema = lattice({ type: 'string', writeOnly: true });
  expect(findSchemaProblems(schema)).toEqual([]);
  const hidden = JSON.stringify(sensitiveParts(schema)!.hide({ top: deep('secret') }));
  expect(hidden).toContain('[sensitive]');
  expect(hidden).not.toContain('secret');
});
