type Coverage = Record<string, object>;

const { keepNewCoverage } = jest.requireActual<{ keepNewCoverage(coverage: Coverage): Coverage }>(
  './support/new-coverage.cjs',
);

const counters = (s: number, b: number[]) => ({ s: { 0: 1, 1: s }, f: { 0: s }, b: { 0: b } });

test('a worker reports a source again only when a test file reaches something new in it', () => {
  const first = { 'a.ts': counters(0, [1, 0]), 'types-only.ts': { s: {}, f: {}, b: {} } };
  expect(keepNewCoverage(first)).toEqual(first);
  expect(keepNewCoverage(first)).toEqual({});
  const other = { ...first, 'a.ts': counters(0, [0, 1]), 'b.ts': counters(1, []) };
  expect(Object.keys(keepNewCoverage(other))).toEqual(['a.ts', 'b.ts']);
  expect(keepNewCoverage({ 'a.ts': counters(7, [3, 3]) })).toEqual({ 'a.ts': counters(7, [3, 3]) });
  expect(keepNewCoverage(other)).toEqual({});
});
