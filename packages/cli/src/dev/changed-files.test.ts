import { ChangedFiles } from './watch-sources.js';

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
