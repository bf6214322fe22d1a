import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFor } from './is-for.js';

test.each<[what: string, audience: (() => unknown) | undefined, expected: boolean]>([
  ['no audience', undefined, true],
  ['true', () => true, true],
  ['something that is only true as a condition', () => 'yes', false],
  ['nothing', () => undefined, false],
  ['an error', () => JSON.parse('{'), false],
  ['a promise of true', () => Promise.resolve(true), false],
])('with %s', (_what, audience, expected) => {
  expect(isFor({ audience }, 'ann')).toBe(expected);
});

test('a promise that is rejected is nobody’s failure', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  expect(isFor({ audience: () => Promise.reject(new Error('no database')) }, 'ann')).toBe(false);
  await nextTurn();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
