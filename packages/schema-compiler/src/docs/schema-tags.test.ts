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
])('@%s was meant to be @%s', (written, meant) => {
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
])('@%s is taken as it stands', (tag) => {
  expect(nearestTag(tag)).toBeUndefined();
});
