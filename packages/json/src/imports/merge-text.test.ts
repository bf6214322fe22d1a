import { mergeText } from './merge-text.js';

const merge = (...texts: [base: string, current: string, next: string]) =>
  mergeText(...(texts.map((text) => text.split(' ').join('\n')) as [string, string, string]));
const joined = ({ text }: { text: string }) => text.split('\n').join(' ');

test.each([
  ['a change of one side', 'a b c', 'a b c', 'a B c', 'a B c'],
  ['an edit', 'a b c', 'A b c', 'a b c', 'A b c'],
  ['both, at different lines', 'a b c', 'A b c', 'a b C', 'A b C'],
  ['both, at lines that touch', 'a b c', 'A b c', 'a B c', 'A B c'],
  ['an edit below lines that are replaced by more', 'a b c', 'a B c', 'x y z b c', 'x y z B c'],
  ['an insertion above an edited line', 'a b c', 'a B c', 'a x b c', 'a x B c'],
  ['an insertion below an edited line', 'a b c', 'a B c', 'a b x c', 'a B x c'],
  ['the same change twice', 'a b c', 'a B c', 'a B c', 'a B c'],
  ['a line that both removed', 'a b c', 'a c', 'a c', 'a c'],
  ['additions at both ends', 'b', 'a b', 'b c', 'a b c'],
])('%s', (_name, base, current, next, result) => {
  const merged = merge(base, current, next);
  expect(joined(merged)).toBe(result);
  expect(merged.hasConflicts).toBe(false);
});

test.each([
  ['two changes of one line', 'a b c', 'a x c', 'a y c', 'a <<<<<<< yours x ======= y >>>>>>> this import c'],
  [
    'two insertions at one place',
    'a c',
    'a x c',
    'a y c',
    'a <<<<<<< yours x ======= y >>>>>>> this import c',
  ],
  ['a change of a removed line', 'a b c', 'a c', 'a y c', 'a <<<<<<< yours ======= y >>>>>>> this import c'],
  [
    'a change within a replaced part',
    'a b c d',
    'a x y d',
    'a b z d',
    'a <<<<<<< yours x y ======= b z >>>>>>> this import d',
  ],
])('%s is a conflict', (_name, base, current, next, result) => {
  const merged = merge(base, current, next);
  expect(joined(merged).replace('yours', 'yours')).toBe(result);
  expect(merged.hasConflicts).toBe(true);
});
