import { bothWays, type BothWays } from '../support/both-ways';

const text = { type: 'string' };
const whole = { type: 'integer' };
const long = { type: 'integer', format: 'int64' };
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
const small = { type: 'integer', format: 'int32', maximum: 5 };
const short = { ...text, maxLength: 3 };
const properties = {
  due: { oneOf: [{ enum: ['auto'] }, { ...text, format: 'date' }] },
  code: { anyOf: [short, { ...text, pattern: '^long' }] },
  rank: { anyOf: [small, { ...text, format: 'uuid' }] },
  codes: list({ anyOf: [short, { ...text, pattern: '^long' }] }),
  share: { anyOf: [{ type: 'number', minimum: 0, maximum: 1 }, { type: 'null' }] },
  retries: { anyOf: [{ enum: [-1] }, { ...whole, format: 'int32', minimum: 10 }] },
  model: { anyOf: [text, { enum: ['gpt-5'] }] },
  id: { anyOf: [{ ...long, minimum: 1 }, { type: 'boolean' }] },
  step: { ...long, multipleOf: 10 },
  one: { ...long, multipleOf: 1 },
  rows: list(list({ ...long, minimum: 1 }, { minItems: 2 })),
  tags: { type: 'object', additionalProperties: short },
  names: list({ ...text, pattern: '^a' }),
  mixed: {
    anyOf: [{ type: ['string', 'integer'], format: 'int32', maxLength: 2, maximum: 5 }, { type: 'boolean' }],
  },
  box: {
    type: 'array',
    prefixItems: [{ type: 'number', description: 'West.' }, { type: 'number' }],
    items: false,
    minItems: 2,
  },
  pair: { type: 'array', prefixItems: [text, { type: 'boolean' }], items: { type: 'number' } },
  open: { type: 'array', prefixItems: [text] },
  both: { anyOf: [list(text, { minItems: 2 }), { enum: ['all'] }] },
};
const post = {
  operationId: 'send',
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { type: 'object', properties } } },
  },
  responses: {},
};
let judge: BothWays;
beforeAll(async () => {
  judge = await bothWays({
    openapi: '3.1.0',
    info: { title: 'Any', version: '1' },
    paths: { '/a': { post } },
  });
}, 60_000);

test.each<[keyof typeof properties, unknown[], unknown[]]>([
  ['due', ['auto', '2026-01-31'], ['other']],
  ['code', ['abc', 'longer'], ['abcd']],
  ['rank', [5, '123e4567-e89b-12d3-a456-426614174000'], [6, 'q']],
  ['codes', [['abc', 'longer']], [['abc', 'abcd']]],
  ['share', [0.5, null], [7]],
  ['retries', [-1, 10], [0]],
  ['model', ['gpt-5', 'another'], [5]],
  ['id', [1, '1', '9007199254740993', true], ['-1', '0', 0]],
  ['step', [10], [15, '15']],
  ['one', [7, '9007199254740993'], ['a']],
  ['rows', [[[1, '2']]], [[[1]], [['0', '1']]]],
  ['tags', [{ a: 'abc' }], [{ a: 'abcd' }]],
  ['names', [['ab']], [['b']]],
  ['mixed', ['ab', 5, true], ['abc', 6]],
  ['box', [[1, 2]], [[1, 2, 3], ['x', 'y'], [1]]],
  ['pair', [['a', true, 1, 2]], [[{}]]],
  ['open', [['a', {}, 1]], ['a']],
  ['both', [['a', 'b'], 'all'], [['a'], 'none']],
])('%s is judged alike by a tool of run time and by written code', (name, good, bad) => {
  for (const value of good) expect([value, judge('send', { [name]: value })]).toEqual([value, [true, true]]);
  for (const value of bad) expect([value, judge('send', { [name]: value })]).toEqual([value, [false, false]]);
});
