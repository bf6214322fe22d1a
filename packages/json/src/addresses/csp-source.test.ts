import { isCspSource } from './csp-source.js';

test.each([
  'https://api.example.com',
  'wss://*.example.com:*/live',
  'http://localhost:3000/a/b.js',
  'HTTPS://example.com',
])('%s is a source', (source) => {
  expect(isCspSource(source)).toBe(true);
});

test.each([
  "'unsafe-inline'",
  '*',
  'data:',
  'example.com',
  'https://example.com; script-src *',
  'https://example.com https://other.example',
  'https://a.*.example.com',
  'https://example.com/?query',
  7,
  undefined,
])('%j is none', (source) => {
  expect(isCspSource(source)).toBe(false);
});
