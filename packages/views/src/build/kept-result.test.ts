import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { KeptResult } from './kept-result.js';

let folder: string;
let made: string[];
let kept: KeptResult<number>;

beforeEach(() => {
  folder = temporaryFolder();
  made = [];
  kept = new KeptResult();
  for (const name of ['a', 'b']) save(name, 1);
});

const path = (name: string) => join(folder, name);

/** @param second when it is saved, long ago */
function save(name: string, second: number) {
  writeFileSync(path(name), '');
  utimesSync(path(name), second, second);
}

const get = (wish: string, names: readonly string[] | undefined, during = () => {}) =>
  kept.get(wish, async () => {
    made.push(wish);
    during();
    return { value: made.length, inputs: names?.map(path) };
  });

test('a result is kept as long as the wish and all files are the same', async () => {
  expect([await get('x', ['a', 'b']), await get('x', ['a', 'b'])]).toEqual([1, 1]);
  save('b', 2);
  expect([await get('x', ['a', 'b']), await get('x', ['a', 'b'])]).toEqual([2, 2]);
  expect(await get('y', ['a'])).toBe(3);
  rmSync(path('a'));
  expect(await get('y', [])).toBe(4);
});

test('a file that is saved while the result is made of it makes the result old', async () => {
  await get('x', ['a']);
  save('a', 2);
  await get('x', ['a'], () => save('a', 3));
  expect(await get('x', ['a'])).toBe(3);
});

test('so does a new file that is saved meanwhile', async () => {
  await get('x', ['a'], () => writeFileSync(path('a'), 'new'));
  expect(await get('x', ['a'])).toBe(2);
});

test('a result that must not be kept is made again', async () => {
  await get('x', undefined);
  expect(await get('x', ['a'])).toBe(2);
});

test('nothing is kept of a failure', async () => {
  await get('x', ['a']);
  save('a', 2);
  const failed = kept.get('x', () => Promise.reject(new Error('It failed.')));
  await expect(failed).rejects.toThrow('It failed.');
  expect(await get('x', ['a'])).toBe(2);
});
