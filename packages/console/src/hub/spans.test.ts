import { readSpans } from './spans.js';

const traceId = '5b8efff798038103d269b633813fc60c';
const plain = {
  traceId: traceId.toUpperCase(),
  spanId: 'eee19b7ec3c1b174',
  parentSpanId: 'eee19b7ec3c1b173',
  name: 'SELECT pages',
  kind: 3,
  startTimeUnixNano: '1544712660123250000',
  endTimeUnixNano: '1544712661123250000',
  attributes: [
    { key: 'db.query.text', value: { stringValue: 'select 1' } },
    { key: 'rows', value: { intValue: '12' } },
    { key: 'big', value: { intValue: '9223372036854775807' } },
    { key: 'share', value: { doubleValue: 0.5 } },
    { key: 'cached', value: { boolValue: false } },
    { key: 'list', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: 1 }] } } },
    { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { stringValue: 'v' } }] } } },
  ],
  status: { code: 2 },
};
const bodyOf = (...spans: unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
const attributesOf = (...attributes: unknown[]) =>
  readSpans(bodyOf({ ...plain, attributes })).spans[0]!.attributes;

test('a span is read with its place, its time and its attributes', () => {
  expect(readSpans(bodyOf(plain))).toEqual({
    rejected: 0,
    spans: [
      {
        traceId,
        spanId: 'eee19b7ec3c1b174',
        parentSpanId: 'eee19b7ec3c1b173',
        name: 'SELECT pages',
        kind: 'client',
        startMs: 1_544_712_660_123.25,
        endMs: 1_544_712_661_123.25,
        failed: true,
        attributes: {
          'db.query.text': 'select 1',
          rows: 12,
          big: '9223372036854775807',
          share: 0.5,
          cached: false,
          list: ['a', 1],
          map: { k: 'v' },
        },
      },
    ],
  });
});

test('names of enumerations are read like their numbers', () => {
  const [span] = readSpans(
    bodyOf({ ...plain, kind: 'SPAN_KIND_SERVER', status: { code: 'STATUS_CODE_OK' } }),
  ).spans;
  expect(span).toMatchObject({ kind: 'server', failed: false });
});

test.each([
  ['no object', null],
  ['a text', 'span'],
  ['an id of the wrong length', { ...plain, traceId: 'ab' }],
  ['an id of zeros', { ...plain, spanId: '0'.repeat(16) }],
  ['an id that is no hexadecimal', { ...plain, spanId: 'z'.repeat(16) }],
  ['no end', { ...plain, endTimeUnixNano: undefined }],
  ['an end before its start', { ...plain, endTimeUnixNano: '1' }],
  ['a time that is no number', { ...plain, startTimeUnixNano: '1e9999' }],
])('%s is rejected, and what stands beside it is taken', (_what, span) => {
  const read = readSpans(bodyOf(span, plain));
  expect(read.rejected).toBe(1);
  expect(read.spans).toHaveLength(1);
});

test.each([[null], [[]], ['x'], [{ resourceSpans: {} }], [{ resourceSpans: [{ scopeSpans: [null, 7] }] }]])(
  'a body like %j has no spans',
  (body) => {
    expect(readSpans(body)).toEqual({ spans: [], rejected: 0 });
  },
);

test('of too many spans in a request the first are taken', () => {
  const read = readSpans(bodyOf(...Array.from({ length: 2_050 }, () => plain)));
  expect(read.spans).toHaveLength(2_048);
  expect(read.rejected).toBe(2);
});

test('the attributes of a span have a limit, however they are spread', () => {
  const long = { stringValue: 'x'.repeat(5_000) };
  const attributes = attributesOf(
    { key: 'a', value: long },
    { key: 'b', value: { arrayValue: { values: [long, long, long] } } },
    { key: 'c', value: long },
  );
  expect(JSON.stringify(attributes).length).toBeLessThan(8_400);
  expect(attributes['a']).toBe('x'.repeat(5_000));
  const many = Array.from({ length: 1_000 }, (_, index) => ({ key: `k${index}`, value: { intValue: 1 } }));
  expect(Object.keys(attributesOf(...many))).toHaveLength(64);
});

test('lists of lists of lists end somewhere', () => {
  let value: unknown = { stringValue: 'inside' };
  for (let depth = 0; depth < 2_000; depth++) value = { arrayValue: { values: [value] } };
  expect(JSON.stringify(attributesOf({ key: 'deep', value }))).toBe('{"deep":[[[[null]]]]}');
});

test('a name like __proto__ changes no prototype', () => {
  const attributes = attributesOf({
    key: '__proto__',
    value: { kvlistValue: { values: [{ key: 'polluted', value: { boolValue: true } }] } },
  });
  expect(Object.getPrototypeOf(attributes)).toBe(Object.prototype);
  expect(attributes['polluted']).toBeUndefined();
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test.each([
  'http.request.header.authorization',
  'http.request.header.set-cookie',
  'db.password',
  'access_token',
])('the value of %s is hidden', (key) => {
  expect(attributesOf({ key, value: { stringValue: 'secret' } })).toEqual({ [key]: '[sensitive]' });
});

test('what only sounds like a secret is shown', () => {
  const key = 'gen_ai.usage.output_tokens';
  expect(attributesOf({ key, value: { intValue: 7 } })).toEqual({ [key]: 7 });
});

test('names and values that are too long end with a whole character', () => {
  for (const before of ['', 'x']) {
    const text = before + '👍🏽'.repeat(4_000);
    const { name } = readSpans(bodyOf({ ...plain, name: text })).spans[0]!;
    expect(name).toMatch(/^x?(?:👍🏽)+$/u);
    expect(attributesOf({ key: 'k', value: { stringValue: text } })['k']).toMatch(/^x?(?:👍🏽)+…$/u);
  }
});
