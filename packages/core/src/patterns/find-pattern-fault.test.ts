import { findPatternFault } from './find-pattern-fault.js';

test.each([
  '^(a+)+$',
  '^(a*)*$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^(a|b|ab)*$',
  '^(\\w+\\s?)*$',
  '^([a-z]+)*\\d$',
  '^(\\d+,?)+$',
  '^(a?b?)*$',
  '^(a{1,3})*$',
  '^(.*,)*x$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@)$',
  '(?=(x+)+y)',
  '(?:\\p{L}+ ?)+!',
  '^((a{0,200}){0,200})$',
])('%s is refused: it can take exponential time', (pattern) => {
  expect(findPatternFault(pattern)).toContain('exponential');
});

test.each([
  '^[a-z]+$',
  '^[a-z]+(-[a-z]+)*$',
  '^(?:[a-z0-9]+(?:-[a-z0-9]+)*)(?:\\.[a-z0-9]+(?:-[a-z0-9]+)*)*$',
  '^(\\d+,)*\\d+$',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{12}$',
  '^([0-9a-f]{32},?)*$',
  '^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}$',
  '^([a-z]{1,63}\\.){1,5}[a-z]{2,63}$',
  '^\\p{L}+(\\s\\p{L}+)*$',
  '^[^@\\s]+@[^@\\s]+$',
  '^(?<quote>["\']).*\\k<quote>$',
  '^(?!-)[\\w-]+$',
  '^[\u{1F600}-\u{1F64F}]+$',
  'plain',
  '',
])('%s is fine', (pattern) => {
  expect(findPatternFault(pattern)).toBeUndefined();
});

test.each(['(', '\\-', '[z-a]', '(a+'])('%s is no pattern at all', (pattern) => {
  expect(findPatternFault(pattern)).toContain('not a regular expression');
});
