import { findPatternProblem } from './cost-of-pattern.js';

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
  expect(findPatternProblem(pattern)).toContain('exponential');
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
])('%s is accepted', (pattern) => {
  expect(findPatternProblem(pattern)).toBeUndefined();
});

test.each(['(', '\\-', '[z-a]', '(a+'])('%s is not a pattern', (pattern) => {
  expect(findPatternProblem(pattern)).toContain('not a regular expression');
});

test.each([
  /^(a+)+$/i,
  /^(?:a|A)+$/i,
  /^([a-z]|[R-T])+$/i,
  /^(?:k|\u212a)+$/iu,
  /^(?:[\u2100-\u2140]|[a-z])+$/iu,
  /^(?:.|\n)+$/s,
  /^(?:[^]|\u{1f600})+$/u,
  /^(?:\ud83d|[\ud800-\udbff])+$/,
  /^(?:a+)+$/m,
  /^(?:a+)+$/g,
  /(?:a+)+$/y,
  /^(?:a+)+$/d,
  new RegExp('^(?:[\\w--\\d]|[[a-z]&&[b-d]])+$', 'v'),
  new RegExp('^(?:\\p{RGI_Emoji}|😀)+$', 'v'),
  new RegExp('^(?:[\\q{ab|c}]|ab)+$', 'v'),
  /^(?:\p{L}|\p{Script=Thai})+$/u,
  /^(?:[\u4e00-\u4e10]|[\u4e05-\u4e20])+$/,
  /(?<=(?:a+)+b)c/,
  /(?<!(?:a|a)+b)c/,
  /^(?<part>ab)(?:\k<part>c|abc)+$/,
  /^(?:(a+)\1)+$/,
  /^(?:(?:|)a)+$/,
  /^(?:(?:a?)+b)+$/,
  /^(?:(?:\b|)a)+$/,
])('%s is refused with its flags', ({ source, flags }) => {
  const problem = findPatternProblem(source, flags);
  expect(problem).toContain('exponential');
});

test.each([
  '^(?:a?){30}a{30}$',
  'a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaaaaaa$',
  `^${'(?:a|a)'.repeat(30)}$`,
])('%s is refused: nothing in it repeats without limit, but it can take as long', (pattern) => {
  expect(findPatternProblem(pattern)).toContain('thousands of ways');
});

test('a pattern that is too large to analyse is refused', () => {
  expect(findPatternProblem(`^(?:${'[a-z]?'.repeat(2_000)})*$`)).toContain('too large');
});

test.each([
  /^[a-z]+$/i,
  /^[a-z]+(-[a-z]+)*$/i,
  /^(?:0x)?[0-9a-f]+$/i,
  new RegExp('^[\\w--\\d]+$', 'v'),
  /^\p{Lu}\p{Ll}*(?: \p{Lu}\p{Ll}*)*$/u,
  /^(?:\p{L}|\p{N})+$/u,
  new RegExp('^(?:[\\p{L}--\\p{Lu}]|\\p{Lu})+$', 'v'),
  /^#(?:[0-9a-f]{3}){1,2}$/i,
  /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/,
  /^(?:\d{3}[-. ]?){2}\d{4}$/g,
  /^(?:mon|tue|wed|thu|fri|sat|sun)$/i,
  /^(?:a?){0,60}$/,
])('%s is accepted with its flags', ({ source, flags }) => {
  expect(findPatternProblem(source, flags)).toBeUndefined();
});
