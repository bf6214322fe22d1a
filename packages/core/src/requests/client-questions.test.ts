import { fitsForm } from './client-questions.js';

const form = (field: object, rest: object = {}) => ({ type: 'object', properties: { f: field }, ...rest });

test.each([
  [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '😀😀'], ['a', 'abcd', 5, null]],
  [{ type: 'string', format: 'email' }, ['a@b.c'], ['a', 'a b@c']],
  [{ type: 'string', format: 'date' }, ['2026-01-31'], ['2026-13-01', '31.1.2026']],
  [{ type: 'string', format: 'date-time' }, ['2026-01-31T00:00:00Z'], ['2026-01-31']],
  [{ type: 'string', format: 'uri' }, ['https://a'], ['a']],
  [{ type: 'integer', minimum: 1, maximum: 3 }, [1, 3], [0, 4, 1.5, '2']],
  [{ type: 'number' }, [1.5], ['1', true]],
  [{ type: 'boolean' }, [true, false], ['true', 1]],
  [{ type: 'string', enum: ['a', 'b'] }, ['a'], ['c']],
  [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, ['a'], ['A']],
  [
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
    [['a', 'b']],
    [[], ['c'], 'a'],
  ],
  [
    { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, maxItems: 1 },
    [[], ['a']],
    [['a', 'a'], ['b']],
  ],
])('%j accepts and refuses', (field, good, bad) => {
  for (const value of good) expect([value, fitsForm({ f: value }, form(field))]).toEqual([value, true]);
  for (const value of bad) expect([value, fitsForm({ f: value }, form(field))]).toEqual([value, false]);
});

test('required fields must be present as own properties', () => {
  const schema = form({ type: 'string' }, { required: ['toString'] });
  expect(fitsForm({ f: 'x' }, schema)).toBe(false);
  expect(fitsForm({ toString: 'x' }, schema)).toBe(true);
  expect(fitsForm({ other: 1 }, form({}, { additionalProperties: false }))).toBe(false);
});

test('what is no pattern asks for nothing, so that a person can answer', () => {
  expect(fitsForm({ f: 'x' }, form({ type: 'string', pattern: '(' }))).toBe(true);
});

test('the patterns of all texts of a form have one budget: a server behind has written them', () => {
  const names = Array.from({ length: 40 }, (_, at) => `f${at}`);
  const fields = Object.fromEntries(names.map((name) => [name, { type: 'string', pattern: '\\s+$' }]));
  const spaces = (length: number) => Object.fromEntries(names.map((name) => [name, ' '.repeat(length)]));
  expect(fitsForm(spaces(100), { type: 'object', properties: fields })).toBe(true);
  expect(fitsForm(spaces(2_500), { type: 'object', properties: fields })).toBe(false);
});
