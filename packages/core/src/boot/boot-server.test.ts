import { setFlagsFromString } from 'node:v8';
import { bootServer } from './boot-server.js';

test('the members of a server are in place for V8, because each call reads them', async () => {
  setFlagsFromString('--allow-natives-syntax');
  const isInPlace = new Function('each', 'return %HasFastProperties(each)') as (each: object) => boolean;
  setFlagsFromString('--no-allow-natives-syntax');
  const server = await bootServer({ name: 'pages', version: '1.0.0' }, undefined);
  expect(isInPlace(server)).toBe(true);
  // An object that V8 always keeps as a hash table: the question can be answered in the negative.
  expect(isInPlace(Object.create(null))).toBe(false);
});
