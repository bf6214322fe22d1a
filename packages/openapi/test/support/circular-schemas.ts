const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const id = { type: 'integer' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const list = (items: object) => ({ type: 'array', items });
const json = {
  anyOf: [
    text,
    { type: 'number' },
    { type: 'boolean' },
    list(ref('Json')),
    { type: 'object', additionalProperties: ref('Json') },
  ],
};

/**
 * Ways in which a schema of OpenAPI contains itself. `Whole` is the body and the answer, and `value` fits it. A part of a part
 * of an answer is left out where it leads further; then `answer` is what arrives.
 */
export const circles: readonly {
  name: string;
  schemas: Record<string, object>;
  value: unknown;
  answer?: unknown;
}[] = [
  {
    name: 'a parent that may be null',
    schemas: { Whole: object({ id, parent: { nullable: true, allOf: [ref('Whole')] } }) },
    value: { id: 1, parent: { id: 2 } },
  },
  {
    name: 'a parent with a description',
    schemas: { Whole: object({ id, parent: { description: 'Above.', allOf: [ref('Whole')] } }) },
    value: { id: 1, parent: { id: 2 } },
  },
  {
    name: 'a list of wrapped children',
    schemas: { Whole: object({ id, children: list({ nullable: true, allOf: [ref('Whole')] }) }) },
    value: { id: 1, children: [{ id: 2 }, null] },
  },
  {
    name: 'a parent with more members',
    schemas: { Whole: object({ id, parent: { allOf: [ref('Whole'), object({ since: text })] } }) },
    value: { id: 1, parent: { id: 2, since: 'a' } },
  },
  {
    name: 'a parent of a base that leads back',
    schemas: {
      Base: object({ id, owner: { allOf: [ref('Whole')], nullable: true } }),
      Whole: { allOf: [ref('Base'), object({ name: text })] },
    },
    value: { id: 1, name: 'a', owner: { id: 2 } },
  },
  {
    name: 'a base that is its own base',
    schemas: {
      Base: { allOf: [ref('Whole'), ref('Base'), ref('Whole')] },
      Whole: { allOf: [ref('Base'), object({ id })] },
    },
    value: { id: 1 },
  },
  {
    name: 'alternatives that name each other',
    schemas: {
      A: { anyOf: [ref('B'), text] },
      B: { anyOf: [ref('A'), id] },
      Whole: object({ id, a: ref('A') }),
    },
    value: { id: 1, a: 'x' },
  },
  {
    name: 'a value of JSON',
    schemas: { Json: json, Whole: object({ id, value: ref('Json') }) },
    value: { id: 1, value: [{ a: ['b'] }] },
  },
  {
    name: 'a value of JSON in a list',
    schemas: { Json: json, Whole: object({ id, rows: list(ref('Json')) }) },
    value: { id: 1, rows: [1, ['a'], { b: 2 }] },
  },
  {
    name: 'a map of itself',
    schemas: {
      Map: { type: 'object', additionalProperties: ref('Map') },
      Whole: object({ id, map: ref('Map') }),
    },
    value: { id: 1, map: { a: { b: {} } } },
  },
  {
    name: 'lists of lists',
    schemas: { List: list(ref('List')), Whole: object({ id, list: ref('List') }) },
    value: { id: 1, list: [[], [[]]] },
  },
  {
    name: 'an heir with a member of its base',
    schemas: {
      Animal: object(
        { kind: text },
        { required: ['kind'], discriminator: { propertyName: 'kind' }, oneOf: [ref('Cat'), ref('Dog')] },
      ),
      Cat: object(
        { kind: { type: 'string', enum: ['Cat'] }, friend: { nullable: true, allOf: [ref('Animal')] } },
        { required: ['kind'] },
      ),
      Dog: object({ kind: { type: 'string', enum: ['Dog'] }, bark: text }, { required: ['kind'] }),
      Whole: object({ id, pet: ref('Animal') }),
    },
    value: { id: 1, pet: { kind: 'Cat', friend: { kind: 'Dog' } } },
    answer: { id: 1, pet: { kind: 'Cat' } },
  },
  {
    name: 'alternatives in an alternative',
    schemas: {
      Filter: {
        oneOf: [
          object({ and: list(ref('Filter')) }, { required: ['and'] }),
          object({ not: { allOf: [ref('Filter')] } }, { required: ['not'] }),
          object({ is: text }, { required: ['is'] }),
        ],
      },
      Whole: object({ id, filter: ref('Filter') }),
    },
    value: { id: 1, filter: { and: [{ not: { is: 'a' } }, { is: 'b' }] } },
    answer: { id: 1, filter: {} },
  },
];

/** A specification with one operation, whose body and answer are `Whole`. */
export function circular(schemas: Record<string, object>): object {
  const content = { 'application/json': { schema: ref('Whole') } };
  const post = {
    requestBody: { required: true, content },
    responses: { 200: { description: 'ok', content } },
  };
  return {
    openapi: '3.0.3',
    info: { title: 'Circles', version: '1' },
    paths: { '/whole': { post } },
    components: { schemas },
  };
}
