import { isAllowedRedirect } from '../../src/proxy/redirect-patterns.js';

const listed = ['https://app.example/cb/*', 'http://127.0.0.1/*', 'cursor://anysphere.cursor-mcp/*'];

test.each([
  'https://app.example/cb/',
  'https://app.example/cb/done?x=%2f..',
  'HTTPS://App.Example:443/cb/done',
  'https://app.example/cb/a/../done',
  'https://app.example/cb/a;v=1/b',
  'http://127.0.0.1:4123/any',
  'cursor://anysphere.cursor-mcp/oauth/callback',
])('a client may be sent back to %s', (uri) => {
  expect(isAllowedRedirect(uri, listed)).toBe(true);
});

test.each([
  ['a step upwards', 'https://app.example/cb/../other'],
  ['an encoded one', 'https://app.example/cb/%2e%2E/other'],
  ['one of Windows', 'https://app.example/cb\\..\\other'],
  ['an encoded slash', 'https://app.example/cb/..%2fother'],
  ['an encoded backslash', 'https://app.example/cb/..%5Cother'],
  ['a parameter of a step', 'https://app.example/cb/..;/other'],
  ['both', 'https://app.example/cb/%2e.;x=1/other'],
  ['another case', 'https://app.example/CB/done'],
  ['two slashes', 'https://app.example//cb/done'],
  ['a host with a dot at its end', 'https://app.example./cb/done'],
  ['a user', 'https://app.example@other.example/cb/done'],
  ['a longer host', 'https://app.example.other.example/cb/done'],
  ['another port', 'https://app.example:444/cb/done'],
  ['a fragment', 'https://app.example/cb/#done'],
  ['another host of the scheme', 'cursor://other/oauth/callback'],
])('and nowhere else: %s', (_what, uri) => {
  expect(isAllowedRedirect(uri, listed)).toBe(false);
});
