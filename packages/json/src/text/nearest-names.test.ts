import { didYouMean, nearestNames } from './nearest-names.js';

test.each([
  ['serch_pages', ['search_pages', 'get_page'], ['search_pages']],
  ['get_wether', ['get_weather', 'set_weather'], ['get_weather', 'set_weather']],
  ['GET_PAGE', ['get_page'], ['get_page']],
  ['gte_page', ['get_page'], ['get_page']],
  ['something_else', ['get_page'], []],
  ['x'.repeat(1000), ['get_page'], []],
])('near %s are %j', (name, known, near) => {
  expect(nearestNames(name, known)).toEqual(near);
});

test('a server with many tools limits how many letters it compares', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `read_customer_record_${index}`);
  expect(nearestNames('get_custmer_by_name', ['get_customer_by_name', ...many])).toEqual([
    'get_customer_by_name',
  ]);
  expect(nearestNames('get_custmer_by_name', [...many, 'get_customer_by_name'])).toEqual([]);
});

test('the sentence names the nearest names, and is empty if none is near', () => {
  expect(didYouMean('point', ['points', 'per'])).toBe(" Did you mean 'points'?");
  expect(didYouMean('zzz', ['points', 'per'])).toBe('');
});
