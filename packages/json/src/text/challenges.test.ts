import { readOtherScheme, withoutQuoted } from './challenges.js';

it.each([
  ['Bearer realm="a", scope="b"', 'Bearer realm=, scope='],
  ['Bearer realm="a \\" Basic", x=1', 'Bearer realm=, x=1'],
  ['Basic realm="Bearer', 'Basic realm='],
  ['Basic realm="Bearer\\', 'Basic realm='],
  ['Basic realm="a\\"Bearer', 'Basic realm='],
])('%s without texts in quotes, ended or not', (header, bare) => {
  expect(withoutQuoted(header)).toBe(bare);
});

it('a scheme in an open text is none', () => {
  expect(readOtherScheme('Basic realm="Bearer')).toBe('Basic');
  expect(readOtherScheme('Basic realm="x", Bearer')).toBeUndefined();
});
