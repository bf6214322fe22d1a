import * as stdio from '../src/index.js';

test('The exports are these', () => {
  expect(Object.keys(stdio).sort()).toEqual(['serveStdio']);
});
