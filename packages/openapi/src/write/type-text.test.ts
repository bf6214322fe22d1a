import { noNames, tagsOf, typeText } from './type-text.js';

test.each([
  ['^ssh-rsa |^sk@openssh.com ', '@pattern ^ssh-rsa |^sk\\x40openssh.com[ ]', 'sk@openssh.com x'],
  ['^ `a`$', '@pattern ^ \\x60a\\x60$', ' `a`'],
])('the pattern %j stands in a comment, and means the same', (pattern, tag, text) => {
  expect(tagsOf({ type: 'string', pattern })).toEqual([tag]);
  expect(new RegExp(tag.slice('@pattern '.length), 'u').test(text)).toBe(true);
});

test('bounds of the items of a list are tags of the list', () => {
  expect(tagsOf({ type: 'array', items: { type: 'string', format: 'uuid' } })).toEqual([
    '@items.format uuid',
  ]);
});

test('a list of one of several objects is a list of a union', () => {
  const of = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
  const list = { type: 'array', items: { anyOf: [of('a'), of('b')] } };
  expect(typeText(list, noNames()).replace(/\s+/g, ' ')).toBe('({ a?: string; } | { b?: string; })[]');
  const inner = { type: 'array', items: { type: 'object', properties: { a: { enum: ['x', 'y'] } } } };
  expect(typeText(inner, noNames()).replace(/\s+/g, ' ')).toBe("{ a?: 'x' | 'y'; }[]");
});

test('a union of many lines within a union is one union', () => {
  const values = Array.from({ length: 12 }, (_, index) => `value-number-${index}`);
  const text = typeText({ anyOf: [{ type: 'string' }, { enum: values }, { type: 'null' }] }, noNames());
  expect(text.split(/\s*\| /)).toEqual(['', '(string & {})', ...values.map((value) => `'${value}'`), 'null']);
});

test('an alternative with bounds has a name that keeps them, and two equal ones have one', () => {
  const short = { type: 'string', maxLength: 3 };
  const used = noNames();
  expect(typeText({ anyOf: [short, { enum: ['long'] }] }, used)).toBe("StringMaxLength3 | 'long'");
  expect(typeText({ type: 'array', items: { type: 'array', items: short } }, used)).toBe(
    'StringMaxLength3[][]',
  );
  expect(typeText({ type: 'object', additionalProperties: short }, used)).toBe(
    'Record<string, StringMaxLength3>',
  );
  expect([...used.types]).toEqual(['StringMaxLength3']);
});
