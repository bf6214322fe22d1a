import type { JsonSchema } from './json-schema.js';
import { quoteForm, showForm } from './forms-for-people.js';

const plain: JsonSchema = {
  type: 'object',
  title: 'Order',
  properties: {
    // Names of properties that are words of schemas, too.
    title: { type: 'string', description: 'of the order' },
    enum: { type: 'string', enum: ['a', 'b'] },
    size: { type: 'integer', oneOf: [{ const: 1, title: 'small' }, { const: 2 }] },
  },
};

test('a form in which nothing hides is the same object', () => {
  expect(showForm(plain, { id: 'x' })).toBe(plain);
  expect(quoteForm(plain, () => 'quoted')).toBe(plain);
});

test('a value of the call in a word of a form is shown as in the words of a question', () => {
  const form = { ...plain, description: 'For A\nB,\nplease', title: 'A\nB' };
  expect(showForm(form, { id: 'A\nB' })).toEqual({
    ...plain,
    description: 'For A\\u{a}B,\nplease',
    title: 'A\\u{a}B',
  });
});

test('a choice without a name, and a property without a title, get one if they would hide something', () => {
  const form: JsonSchema = { properties: { 'a\nb': { enum: ['c\nd', 1] } } };
  expect(showForm(form, {})).toEqual({
    properties: { 'a\nb': { enum: ['c\nd', 1], enumNames: ['c\\u{a}d', '1'], title: 'a\\u{a}b' } },
  });
});
