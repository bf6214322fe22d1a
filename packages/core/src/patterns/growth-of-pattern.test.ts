import { growthOfPattern } from './growth-of-pattern.js';

test.each([
  ['^[a-z]+$', 1],
  ['^[a-z]+(-[a-z]+)*$', 1],
  ['^(\\d+,)*\\d+$', 1],
  ['^[^@\\s]+@[^@\\s]+$', 1],
  ['^(?=.*\\d)(?=.*[a-z]).{8,}$', 1],
  ['^[0-9a-f]{64}$', 1],
  ['^foo|^ba+r', 1],
  ['foo', 1],
  ['[a-z]{3}', 1],
  ['', 1],
])('%s grows linearly', (pattern, growth) => {
  expect(growthOfPattern(pattern)).toBe(growth);
});

test.each([
  ['\\s+$', 2],
  ['a+b', 2],
  ['^a*a*b$', 2],
  ['^\\S+@\\S+$', 2],
  ['^.*foo.*$', 2],
  ['^\\s*(.*?)\\s*$', 3],
  ['^a*a*a*$', 3],
  ['a*a*b', 3],
  ['^a*a*xb*b*$', 3],
  ['^x*(?=a*b)', 2],
  ['^(?<quote>["\']).*\\k<quote>$', 2],
])('%s grows with the power %i', (pattern, growth) => {
  expect(growthOfPattern(pattern)).toBe(growth);
});

test('where it would take long to find out, it counts as growing faster', () => {
  const part = '(?:[a-m]?[b-n]?[c-o]?[d-p]?[e-q]?x)*';
  expect(growthOfPattern(`^${part.repeat(4)}$`)).toBeGreaterThanOrEqual(2);
});
