import { costOfPattern, weightOfPatterns } from './cost-of-pattern.js';

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

// Each of them once took from two seconds to two minutes, or had no room on the stack.
test.each([
  ['loops one after the other', '\\p{L}+ '.repeat(5_700), { growth: 5_701 }],
  ['counts of one class', '\\p{L}{3}'.repeat(5_000), { growth: 4_335 }],
  ['thousands of words', Array.from({ length: 9_000 }, (_, at) => `w${at}`).join('|'), 'size'],
  ['groups in groups', `${'(?:'.repeat(9_000)}a${')?'.repeat(9_000)}`, 'size'],
])('the analysis of %s ends early, with a result that is safe', (_what, pattern, cost) => {
  const found = costOfPattern(pattern);
  if (typeof cost === 'string') expect(['size', 'invalid']).toContain(found);
  else expect(found).toMatchObject(cost);
});

test('the list of all currencies and one of some hundred words are cheap', () => {
  const words = Array.from({ length: 300 }, (_, at) => `word-${at}`).join('|');
  expect(costOfPattern(`^(?:${words})$`)).toEqual({ growth: 1, ways: 1 });
});

test('the weight of patterns is that of all in a schema, each once, and more for properties of Unicode', () => {
  const name = { type: 'string' as const, pattern: '^[a-z]+$' };
  const schema = {
    properties: { name, other: name, pattern: { pattern: '\\p{L}\\P{L}' } },
    patternProperties: { '^x-': {} },
    default: { pattern: 'not a keyword here' },
  };
  expect(weightOfPatterns(schema)).toBe(8 + 10 + 2 * 40 + 3);
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
