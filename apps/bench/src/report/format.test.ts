import { formatNumber, formatRatio, formatSummary, formatTable } from './format.js';

test.each<[number, string]>([
  [12_345, '12,300'],
  [41.26, '41.3'],
  [0.04126, '0.0413'],
  [NaN, '-'],
])('%d is shown as %s', (value, shown) => {
  expect(formatNumber(value)).toBe(shown);
});

test('a summary shows its median and quartiles, a ratio two decimals, and what is missing a dash', () => {
  expect(formatSummary({ median: 3000, low: 2500, high: 3250 })).toBe('3,000 (2,500-3,250)');
  expect(formatRatio({ median: 1.005, low: 1, high: 2 })).toMatch(/^1\.0[01]x$/);
  expect([formatSummary(undefined), formatRatio(undefined)]).toEqual(['-', '-']);
});

test('the columns of a table are as wide as their widest cell', () => {
  const rows = [
    ['who', 'calls'],
    ['node:http', '1'],
  ];
  expect(formatTable(rows).split('\n')).toEqual([
    '| who       | calls |',
    '| --------- | ----- |',
    '| node:http | 1     |',
  ]);
});
