import { tagsOf } from './type-text.js';

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
