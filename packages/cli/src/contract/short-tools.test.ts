import { constrainSchema, type JsonSchema } from '@toolwright/json';
import { compareContracts } from './compare-contracts.js';
import { asListed, inShort, withPatterns } from './short-tools.js';

const constraints = [{ name: 'isurl', arguments: [], each: false }];
const { schema: url } = constrainSchema({ type: 'string' }, { constraints }, (part) => part);
const input = (site: JsonSchema): JsonSchema => ({ type: 'object', properties: { site } });
const locked = { name: 'open_site', inputSchema: input(url) };

test('a lock with patterns and a running server that shows words have no difference', () => {
  const listed = [inShort(locked)];
  expect(compareContracts([locked], listed)).not.toEqual([]);
  expect(compareContracts(asListed([locked], listed), listed)).toEqual([]);
});

test('a running server that shows patterns is compared with the patterns', () => {
  expect(asListed([locked], [locked])).toEqual([locked]);
});

test('the lock of an app has the patterns that its list leaves out', () => {
  expect(withPatterns(inShort(locked), input(url))).toEqual(locked);
  expect(withPatterns(locked, undefined)).toBe(locked);
  const own = { ...locked, inputSchema: input({ type: 'string', description: 'another' }) };
  expect(withPatterns(own, input(url))).toBe(own);
});
