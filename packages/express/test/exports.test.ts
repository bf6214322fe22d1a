import * as express from '../src/index.js';

test('The exports are these', () => {
  expect(Object.keys(express).sort()).toEqual([
    'mcpExpress',
    'mcpHealth',
    'oauthResourceServer',
    'serveHttp',
  ]);
});
