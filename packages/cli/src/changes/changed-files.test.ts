import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../.ci/test/support/temporary-folder.js';
import { ChangedFiles } from './changed-files.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('the files of one change come together', async () => {
  const changed = new ChangedFiles();
  const next = changed.next();
  changed.add('a.ts');
  jest.advanceTimersByTime(10);
  changed.add('b.ts');
  jest.advanceTimersByTime(15);
  expect(await next).toEqual(['a.ts', 'b.ts']);
});

test('a file that changed while nobody waited comes with the next call', async () => {
  const changed = new ChangedFiles();
  changed.add('a.ts');
  jest.advanceTimersByTime(100);
  const next = changed.next();
  jest.advanceTimersByTime(15);
  expect(await next).toEqual(['a.ts']);
});

test('a file that changes while an earlier change is handed over is not lost, nor is any after it', async () => {
  const changed = new ChangedFiles();
  changed.add('a.ts');
  const next = changed.next();
  jest.advanceTimersByTime(10);
  changed.add('b.ts');
  jest.advanceTimersByTime(15);
  expect(await next).toEqual(['a.ts', 'b.ts']);
  const later = changed.next();
  changed.add('c.ts');
  jest.advanceTimersByTime(15);
  expect(await later).toEqual(['c.ts']);
});

test('a file that is empty for a moment, because it is being saved, comes with its text', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.ts');
  const changed = new ChangedFiles();
  const taken = jest.fn();
  void changed.next().then(taken);
  writeFileSync(file, '');
  changed.add(file);
  await jest.advanceTimersByTimeAsync(200);
  expect(taken).not.toHaveBeenCalled();
  writeFileSync(file, 'text');
  changed.add(file);
  await jest.advanceTimersByTimeAsync(15);
  expect(taken).toHaveBeenCalledWith([file]);
});

test('a file that stays empty comes a little later', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.ts');
  writeFileSync(file, '');
  const changed = new ChangedFiles();
  const next = changed.next();
  changed.add(file);
  await jest.advanceTimersByTimeAsync(250);
  expect(await next).toEqual([file]);
});
