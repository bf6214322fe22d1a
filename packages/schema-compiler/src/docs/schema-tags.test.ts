import { nearestTag } from './schema-tags.js';

test.each([
  ['minimun', 'minimum'],
  ['maxlength', 'maxLength'],
  ['patern', 'pattern'],
  ['defualt', 'default'],
  ['exmaple', 'example'],
  ['pram', 'param'],
  ['retruns', 'returns'],
  ['min', 'minimum'],
  ['integer', 'TJS-type integer'],
])('for @%s the suggestion is @%s', (written, meant) => {
  expect(nearestTag(written)).toBe(meant);
});

test.each([
  'minimum',
  'example',
  'param',
  'internal',
  'see',
  'TJS-type',
  'items.minimum',
  'ourOwnTag',
  'since',
])('for @%s there is no suggestion', (tag) => {
  expect(nearestTag(tag)).toBeUndefined();
});
