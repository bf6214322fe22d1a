import { KeptPages } from './list-pages.js';

const megabyte = 'x'.repeat(512 * 1024);

test('the pages that were written first are forgotten when all of them take more than 32 MiB', () => {
  const pages = new KeptPages();
  for (let each = 0; each < 40; each++) pages.keep(`at ${each}`, megabyte);
  const kept = Array.from({ length: 40 }, (_, each) => pages.get(`at ${each}`)).filter(Boolean);
  expect(kept).toHaveLength(32);
  expect(pages.get('at 7')).toBeUndefined();
  expect(pages.get('at 8')).toBe(megabyte);
});

test('a page that is larger than all of them may be is not kept, and takes no room', () => {
  const pages = new KeptPages();
  pages.keep('large', megabyte.repeat(33));
  expect(pages.get('large')).toBeUndefined();
  pages.keep('small', 'text');
  expect(pages.get('small')).toBe('text');
});
