/** A schema, and a value that fits it. */
export interface Sample {
  readonly schema: Record<string, unknown>;
  readonly value: Record<string, unknown>;
}

/** The same numbers below `most` for the same seed, again and again. */
export function chance(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

type Made = readonly [schema: unknown, value: unknown];

/** Makes arguments with every kind of part that schemas have, some inside of others. */
export function madeSample(seed: number): Sample {
  const pick = chance(seed);
  const one = <T>(of: readonly T[]): T => of[pick(of.length)]!;
  const text = () => one(['word', 'two words', 'é ü 漢', '"quoted" \\ text', '0', 'null', ' ', '😀']);
  const number = () => one([0, -1, 12, 4_096, 2 ** 53 - 1]);
  const anything = () => one<unknown>([null, true, 1.5, 'text', [1, [null]], { a: { b: [] } }, '', {}]);

  const simple: readonly (() => Made)[] = [
    () => [{ type: 'string' }, text()],
    () => [{ type: 'string', maxLength: 5_000 }, `${text()}\n${text()}`],
    () => [{ type: 'integer' }, number()],
    () => [{ type: 'number' }, one([0.5, -2e-7, 1e21, 3])],
    () => [{ type: 'boolean' }, one([true, false])],
    () => [{ type: 'null' }, null],
    () => [{ enum: ['red', 2, null, false, { a: 1 }] }, one<unknown>(['red', 2, null, false, { a: 1 }])],
    () => [{ const: 'fixed' }, 'fixed'],
    () => [{ const: { deep: [1] } }, { deep: [1] }],
    () => [{ type: 'string', contentEncoding: 'base64' }, 'AAEC/w=='],
    () => [{ type: 'string', format: 'date-time' }, '2026-01-31T12:00:00Z'],
    () => [one<unknown>([{}, true, { description: 'unknown' }]), anything()],
    () => [{ type: 'object' }, one<unknown>([{}, { x: [1, null] }])],
    () => [{ type: 'array' }, one<unknown>([[], ['a', 1]])],
    () => [
      {
        oneOf: [
          { const: 'a', title: 'First' },
          { const: 'b', title: 'Second' },
        ],
      },
      one(['a', 'b']),
    ],
    () => [{ type: 'array', items: { enum: ['x', 'y', 'z'] } }, one([['x'], ['x', 'z'], ['y', 'z']])],
    () => [{ type: ['string', 'integer', 'null'] }, one<unknown>([text(), number(), null])],
    () => [{ type: ['boolean', 'array'], items: { type: 'string' } }, one<unknown>([true, ['q']])],
    () => [{ anyOf: [{ type: 'string' }, {}] }, one<unknown>(['s', 5, null, [1]])],
  ];
  const node = { $ref: '#/$defs/Node' };
  const nodeValue = (depth: number): unknown => ({
    name: text(),
    ...(depth > 0 &&
      pick(2) && { children: Array.from({ length: 1 + pick(2) }, () => nodeValue(depth - 1)) }),
    ...(depth > 0 && pick(2) && { next: nodeValue(depth - 1) }),
  });
  const inner = (depth: number): Made => (depth > 0 && pick(2) ? one(composite)(depth - 1) : one(simple)());
  const properties = (depth: number, count: number) => {
    const made = Array.from(
      { length: count },
      (_, index) => [`p${index}`, inner(depth), pick(2) === 0] as const,
    );
    return {
      properties: Object.fromEntries(made.map(([name, [schema]]) => [name, schema])),
      required: made.filter(([, , isOptional]) => !isOptional).map(([name]) => name),
      value: Object.fromEntries(
        made.flatMap(([name, [, value], isOptional]) => (isOptional && pick(3) === 0 ? [] : [[name, value]])),
      ),
    };
  };
  const object = (depth: number, more: object = {}): Made => {
    const { value, ...schema } = properties(depth, 1 + pick(3));
    return [{ type: 'object', ...schema, ...more }, value];
  };
  const named = (made: () => unknown) =>
    Object.fromEntries(['x-one', 'x-two', 'x-three'].slice(0, pick(4)).map((name) => [name, made()]));
  const composite: readonly ((depth: number) => Made)[] = [
    (depth) => object(depth),
    (depth) => object(depth, { additionalProperties: false }),
    (depth) => {
      const [items, first] = inner(depth);
      return [{ type: 'array', items }, pick(2) ? [first] : [first, first]];
    },
    (depth) => {
      const places = [inner(depth), inner(depth)];
      const [schemas, values] = [places.map(([each]) => each), places.map(([, each]) => each)];
      return pick(2)
        ? [{ type: 'array', prefixItems: schemas, items: false }, values]
        : [{ type: 'array', prefixItems: schemas, items: { type: 'integer' } }, [...values, 7, 8]];
    },
    () => [{ type: 'object', additionalProperties: { type: 'string' } }, named(text)],
    () => [{ type: 'object', additionalProperties: true, properties: {} }, named(anything)],
    () => [{ type: 'object', patternProperties: { '^x-': { type: 'integer' } } }, named(number)],
    (depth) => {
      const [schema, value] = object(depth) as [Record<string, unknown>, object];
      return [
        { ...schema, additionalProperties: { type: 'number' } },
        { ...value, ...named(number) },
      ];
    },
    () => [node, nodeValue(2)],
    (depth) => {
      const kinds = ['circle', 'square'].map((kind) => {
        const { value, ...schema } = properties(depth, 1);
        const own = { kind: { const: kind }, ...schema.properties };
        return {
          schema: { type: 'object', properties: own, required: ['kind', ...schema.required] },
          value: { kind, ...value },
        };
      });
      return [{ [one(['anyOf', 'oneOf'])]: kinds.map(({ schema }) => schema) }, one(kinds).value];
    },
    (depth) => {
      const [schema, value] = inner(depth);
      return [{ anyOf: [{ type: 'null' }, schema] }, pick(2) ? value : null];
    },
    (depth) => {
      const [first, second] = [object(depth), { type: 'object', properties: { own: { type: 'string' } } }];
      return [{ allOf: [first[0], second] }, { ...(first[1] as object), own: text() }];
    },
  ];
  const { value, ...schema } = properties(3, 1 + pick(4));
  const Node = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: node }, next: node },
    required: ['name'],
  };
  return { schema: { type: 'object', ...schema, $defs: { Node } }, value };
}
