import { nearest, unknownName } from './unknown-name.js';

test.each([
  ['serch_pages', ['search_pages', 'get_page'], ['search_pages']],
  ['get_wether', ['get_weather', 'set_weather'], ['get_weather', 'set_weather']],
  ['GET_PAGE', ['get_page'], ['get_page']],
  ['gte_page', ['get_page'], ['get_page']],
  ['something_else', ['get_page'], []],
  ['x'.repeat(1000), ['get_page'], []],
])('Near %s are %j', (name, known, near) => {
  expect(nearest(name, known)).toEqual(near);
});

test('A server with many tools compares so many letters and no more', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `read_customer_record_${index}`);
  expect(nearest('get_custmer_by_name', ['get_customer_by_name', ...many])).toEqual(['get_customer_by_name']);
  expect(nearest('get_custmer_by_name', [...many, 'get_customer_by_name'])).toEqual([]);
});

test('A long name is not repeated in full', () => {
  expect(unknownName('tool', 'x'.repeat(10_000), []).message.length).toBeLessThan(300);
});
