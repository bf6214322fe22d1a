import { type JsonSchema, writeJson } from '@toolwright/json';
import { CommandError } from '@toolwright/operate/terminal';
import { parseArguments } from './parse-arguments.js';

const schema: JsonSchema = {
  type: 'object',
  properties: {
    query: { type: 'string' },
    limit: { type: 'integer' },
    max_bytes: { type: 'integer' },
    ids: { type: 'array', items: { type: 'integer' } },
    page: { allOf: [{ type: 'number' }, { type: ['integer', 'null'] }], enum: [1, 2] },
    seven: { const: 7 },
    exact: { type: 'boolean' },
    order: { enum: ['asc', 'desc'] },
    tags: { type: 'array', items: { type: 'string' } },
    range: { type: 'array', items: { type: 'number' } },
    where: { type: 'object' },
    either: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    anything: {},
  },
};

const parse = (...words: string[]) => parseArguments(words, schema);

test.each<[string[], Record<string, unknown>]>([
  [[], {}],
  [['--query', 'two words'], { query: 'two words' }],
  [['--query=a=b'], { query: 'a=b' }],
  [['--query', '5'], { query: '5' }],
  [['--query=--limit'], { query: '--limit' }],
  [['--query', '--other'], { query: '--other' }],
  [['--limit', '5'], { limit: 5 }],
  [['--limit', '5.0'], { limit: 5 }],
  [['--ids', '5', '--ids', '6'], { ids: [5, 6] }],
  [['--page', '2'], { page: 2 }],
  // The server says which values it takes.
  [['--page', '3'], { page: 3 }],
  [['--seven', '8'], { seven: 8 }],
  [['--exact', '--limit', '5'], { exact: true, limit: 5 }],
  [['--exact', 'false'], { exact: false }],
  [['--exact=false'], { exact: false }],
  [['--no-exact'], { exact: false }],
  [['--order', 'desc'], { order: 'desc' }],
  [['--tags', 'a', '--tags', 'b'], { tags: ['a', 'b'] }],
  [['--tags', '["a","b"]'], { tags: ['a', 'b'] }],
  [['--range', '1', '--range', '2.5'], { range: [1, 2.5] }],
  [['--where', '{"id":1}'], { where: { id: 1 } }],
  [['--either', 'text'], { either: 'text' }],
  [['--anything', 'text'], { anything: 'text' }],
  [['--anything', '{"a":1}'], { anything: { a: 1 } }],
  [['--input', '{"query":"a","limit":1}', '--limit', '2'], { query: 'a', limit: 2 }],
])('%j', (words, args) => {
  expect(parse(...words)).toEqual(args);
});

test.each<[string[], RegExp]>([
  [['words'], /"words" is no argument: write --name value, or all in one with --input/],
  [['--max-bytes', '1'], /no argument --max-bytes\. Did you mean --max_bytes\?/],
  [['--maxBytes', '1'], /no argument --maxBytes\. Did you mean --max_bytes\?/],
  [['--limt', '1'], /no argument --limt\. Did you mean --limit\?/],
  [['--limit'], /--limit needs a value/],
  [['--query', '--limit', '5'], /--query needs a value\. If it begins with "--", write --query=…\./],
  [['--query', '--no-exact'], /--query needs a value/],
  [['--query', '--input', '{}'], /--query needs a value/],
  [['--no-limit', '5'], /no argument --no-limit/],
  [['--limit', 'five'], /--limit takes integer \(as JSON\), not "five"/],
  [['--limit', '5.5'], /--limit takes integer \(as JSON\), not "5\.5"/],
  [['--limit', '"5"'], /--limit takes integer/],
  [['--limit', 'true'], /--limit takes integer/],
  [['--ids', '5.5'], /--ids takes integer/],
  [['--page', '5.5'], /--page takes integer/],
  [['--exact=5'], /--exact takes boolean/],
  [['--where', '5'], /--where takes object/],
  [['--where', 'null'], /--where takes object/],
  [['--where', 'id=1'], /--where takes object \(as JSON\)/],
  [['--input', '[]'], /--input takes a JSON object/],
  [['--range', '9007199254740993'], /--range\.0 is not sent: a number does not hold all digits/],
  [['--either=x', '--anything', '9007199254740993.0'], /--anything is not sent: a number does not hold/],
  [['--anything', '9007199254740993e0'], /--anything is not sent: a number does not hold all digits/],
  [['--anything', '0.9007199254740993E+16'], /--anything is not sent: a number does not hold all digits/],
  [['--range', '1e400'], /--range\.0 is not sent: no number is as large/],
  [['--limit', '1e400'], /--limit is not sent: no number is as large/],
  [['--limit', `1${'0'.repeat(400)}`], /--limit is not sent: /],
  [['--input', '9007199254740993'], /--input takes a JSON object/],
  [['--where', '{"id":[9007199254740993]}'], /--where\.id\.0 is not sent: .* Send it as a string\./],
  [['--input', '{"anything":[9007199254740993.0]}'], /--anything\.0 is not sent/],
  [['--url', 'http://x'], /no argument --url\. It takes --query,/],
  [['--__proto__', 'x'], /no argument --__proto__/],
  [['--limit', '1', '--limit', '2'], /--limit takes one value, and two are written/],
])('the error for %j says what to write instead', (words, message) => {
  expect(() => parse(...words)).toThrow(CommandError);
  expect(() => parse(...words)).toThrow(message);
});

/** Arguments as generators of schemas write them. */
const generated = {
  allOf: [
    {
      properties: {
        id: { $ref: '#/$defs/Id' },
        quiet: { allOf: [{ $ref: '#/$defs/Switch' }], description: 'Say nothing.' },
        mode: { const: '7' },
        level: { oneOf: [{ const: 1 }, { const: 2 }] },
        tags: { anyOf: [{ $ref: '#/$defs/Tags' }, { type: 'null' }] },
      },
    },
    { properties: { code: { type: ['string', 'integer'], enum: ['1', '2'] } } },
  ],
  $defs: {
    Id: { type: 'string' },
    Switch: { type: 'boolean' },
    Tags: { type: 'array', items: { $ref: '#/$defs/Id' } },
  },
} as JsonSchema;

test.each<[string[], Record<string, unknown>]>([
  [['--id', '5'], { id: '5' }],
  [['--quiet', '--id', '5'], { quiet: true, id: '5' }],
  [['--no-quiet'], { quiet: false }],
  [['--mode', '7'], { mode: '7' }],
  [['--level', '2'], { level: 2 }],
  [['--tags', '1', '--tags', '2'], { tags: ['1', '2'] }],
  [['--code', '1'], { code: '1' }],
])('types are read through references and combinations: %j', (words, args) => {
  expect(parseArguments(words, generated)).toEqual(args);
});

/** Arguments that may be one of several kinds of values. */
const mixed = {
  properties: {
    e: { enum: ['x', 'y', 3, null] },
    both: { enum: ['3', 3] },
    free: { anyOf: [{ const: 3 }, { type: 'string' }] },
    bn: { type: ['boolean', 'null'] },
    an: { type: ['array', 'null'], items: { type: 'string' } },
    us: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    auto: { anyOf: [{ type: 'boolean' }, { const: 'auto' }] },
    matrix: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
    cube: { type: 'array', items: { type: 'array', items: { type: 'array', items: { type: 'integer' } } } },
  },
} as JsonSchema;

test.each<[string[], Record<string, unknown>]>([
  [['--e', '3'], { e: 3 }],
  [['--e', 'null'], { e: null }],
  [['--e', 'x'], { e: 'x' }],
  [['--both', '3'], { both: '3' }],
  [['--free', '3'], { free: '3' }],
  [['--bn', 'null'], { bn: null }],
  [['--bn'], { bn: true }],
  [['--no-bn'], { bn: false }],
  [['--an', 'null'], { an: null }],
  [['--an', 'a', '--an', 'b'], { an: ['a', 'b'] }],
  [['--us', 'a'], { us: 'a' }],
  [['--us', 'a', '--us', 'b'], { us: ['a', 'b'] }],
  [['--us', '["a"]'], { us: ['a'] }],
  [['--us', '[1]'], { us: '[1]' }],
  [['--us', '[draft] a'], { us: '[draft] a' }],
  [['--auto', 'auto'], { auto: 'auto' }],
  [['--auto', 'false'], { auto: false }],
  [['--auto', '--e', '3'], { auto: true, e: 3 }],
  [['--matrix', '[[1,2]]', '--matrix', '[[3]]'], { matrix: [[1, 2], [3]] }],
  [['--matrix', '[1,2]', '--matrix', '[3]'], { matrix: [[1, 2], [3]] }],
  [['--matrix', '[1,2]'], { matrix: [[1, 2]] }],
  [['--matrix', '[]'], { matrix: [] }],
  [['--cube', '[1,2]'], { cube: [[[1, 2]]] }],
])('of several kinds of values, the one is meant that the schema has: %j', (words, args) => {
  expect(parseArguments(words, mixed)).toEqual(args);
});

test.each<[JsonSchema, string[], Record<string, unknown>]>([
  [{ type: 'object' }, ['--a', '1', '--b', 'x'], { a: 1, b: 'x' }],
  [{ type: 'object', additionalProperties: true, properties: { a: {} } }, ['--b=1'], { b: 1 }],
  [{ allOf: [{ additionalProperties: { type: 'string' } }] }, ['--a', '1'], { a: '1' }],
  [{ patternProperties: { '^x-': {} } }, ['--x-a', '1'], { 'x-a': 1 }],
])('%j takes arguments that it does not name', (open, words, args) => {
  expect(parseArguments(words, open)).toEqual(args);
});

test.each<[JsonSchema, RegExp]>([
  [{ type: 'object', additionalProperties: false }, /The prompt has no argument --a\. It takes none\./],
  [{ properties: { query: {} } }, /It takes --query\./],
  [{ allOf: [{ additionalProperties: true }, { additionalProperties: false }] }, /It takes none/],
])('%j takes no argument that it does not name', (closed, message) => {
  expect(() => parseArguments(['--a', '1'], closed, { of: 'prompt' })).toThrow(message);
});

test('a schema that contains itself has an end', () => {
  const loop = { properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { allOf: [{ $ref: '#/$defs/A' }] } } };
  expect(parseArguments(['--a', '5'], loop as JsonSchema)).toEqual({ a: 5 });
});

test('all arguments may come from a file or from standard input', () => {
  const read = (word: string) => ({ '@page.json': '{"query":"a"}', '-': '{"limit":5}' })[word];
  const given = { readText: read, input: '{"query":"b","exact":true}' };
  expect(parseArguments(['--input', '@page.json', '--input', '-'], schema, given)).toEqual({
    query: 'a',
    limit: 5,
    exact: true,
  });
});

test('a tool may have an argument named input', () => {
  expect(parseArguments(['--input', 'text'], { properties: { input: { type: 'string' } } })).toEqual({
    input: 'text',
  });
});

test('an argument may have any name', () => {
  const own = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}') as JsonSchema;
  for (const words of [
    ['--__proto__', 'x'],
    ['--input', '{"__proto__":"x"}'],
  ])
    expect(Object.entries(parseArguments(words, own))).toEqual([['__proto__', 'x']]);
});

/** Places where the schema wants an integer, and nothing else. */
const integers: JsonSchema = {
  $defs: { Id: { type: 'integer', format: 'int64' } },
  properties: {
    id: { $ref: '#/$defs/Id' },
    ids: { type: 'array', items: { $ref: '#/$defs/Id' } },
    rows: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    where: { anyOf: [{ type: 'object', properties: { id: { $ref: '#/$defs/Id' } } }, { type: 'null' }] },
    number: { type: 'number' },
  },
} as JsonSchema;

test.each([
  [['--id', '9007199254740993'], '{"id":9007199254740993}'],
  [['--id', '9007199254740993.0'], '{"id":9007199254740993}'],
  [['--id', '-9007199254740993000e-3'], '{"id":-9007199254740993}'],
  [['--id', '9223372036854775807'], '{"id":9223372036854775807}'],
  [['--ids', '9007199254740993', '--ids', '1'], '{"ids":[9007199254740993,1]}'],
  [['--ids', '[9007199254740993e0,1]'], '{"ids":[9007199254740993,1]}'],
  [['--rows', '[9007199254740993]'], '{"rows":[[9007199254740993]]}'],
  [['--where', '{"id":9007199254740993}'], '{"where":{"id":9007199254740993}}'],
  [['--input', '{"id":9.007199254740993e15}'], '{"id":9007199254740993}'],
  // Fractions are rounded as everywhere, and what a double holds is a number.
  [['--number', '12345678901234567.5'], '{"number":12345678901234568}'],
  [['--number', '6.02214076e23'], '{"number":6.02214076e+23}'],
  [['--number', '1.50e1'], '{"number":15}'],
  [['--number', '-0.0'], '{"number":0}'],
  [['--input', '{"9007199254740993.0":1}'], '{"9007199254740993.0":1}'],
])('%j are sent digit for digit', (words, json) => {
  expect(writeJson(parseArguments(words, integers))).toBe(json);
});
