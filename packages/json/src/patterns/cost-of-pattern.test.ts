import { costOfPattern } from './cost-of-pattern.js';

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
  expect(costOfPattern(pattern)).toMatchObject({ growth });
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
  expect(costOfPattern(pattern)).toMatchObject({ growth });
});

test('a pattern that takes too long to analyse counts as growing faster', () => {
  const part = '(?:[a-m][b-n][c-o][d-p][e-q][f-r][g-s][h-t][i-u][j-v][k-w][l-x])*';
  expect(costOfPattern(`^${part.repeat(4)}$`)).toMatchObject({ growth: 4 });
});

test.each([
  ['^(?:\\d{1,3}\\.){3}\\d{1,3}$', 1],
  ['^(?:foo|bar|baz)$', 1],
  ['^(?:a?){6}a{6}$', 32],
  ['^(?:a|a)(?:a|a)(?:a|a)$', 4],
])('%s has %i ways', (pattern, ways) => {
  expect(costOfPattern(pattern)).toMatchObject({ ways });
});

test.each([
  ['^a+$', 'm', 2],
  ['^a+$', 'y', 1],
  ['^[a-z]+[A-Z]+$', '', 1],
  ['^[a-z]+[A-Z]+$', 'i', 2],
  ['^\\w+.+$', '', 2],
  ['^.+[\\n]+$', '', 1],
  ['^.+[\\n]+$', 's', 2],
])('%s with the flags %s grows with the power %i', (pattern, flags, growth) => {
  expect(costOfPattern(pattern, flags)).toMatchObject({ growth });
});
