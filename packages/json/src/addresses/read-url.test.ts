import { readUrl } from './read-url.js';

test('a letter such as ä is read however often it is asked for', () => {
  let refused = 0;
  for (let call = 0; call < 20_000; call++) if (!readUrl('https://ä.example/')) refused++;
  expect(refused).toBe(0);
});

test('a relative address begins at its base', () => {
  expect(readUrl('/ä', 'https://notes.example/mcp')?.href).toBe('https://notes.example/%C3%A4');
  expect(readUrl('b', new URL('https://notes.example/a/c'))?.href).toBe('https://notes.example/a/b');
});

test.each(['', 'notes', '/mcp', 'https://', 'https://[::g]/', '//'])('%j is no URL', (text) =>
  expect(readUrl(text)).toBeUndefined(),
);
