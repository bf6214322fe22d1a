import { toolHints } from './piece-files.js';

test.each([
  ['get_note', 'readOnlyHint: true'],
  ['search_notes', 'readOnlyHint: true'],
  ['create_note', 'readOnlyHint: false, destructiveHint: false'],
  ['delete_note', 'readOnlyHint: false, destructiveHint: true'],
  ['drop_table', 'readOnlyHint: false, destructiveHint: true'],
  ['update_note', 'readOnlyHint: false'],
  ['frobnicate', 'readOnlyHint: false'],
])('the annotations for %s are %s', (name, hints) => {
  expect(toolHints(name.split('_'))).toBe(hints);
});
