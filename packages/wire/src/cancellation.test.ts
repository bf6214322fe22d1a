import { Cancellation } from './response-channel.js';

const watcher = () => {
  const heard: unknown[] = [];
  return { heard, cancel: (reason: unknown) => void heard.push(reason) };
};

it('tells each observer once, and none that has left', () => {
  const cancellation = new Cancellation();
  const [watching, left] = [watcher(), watcher()];
  cancellation.watch(watching);
  cancellation.watch(left);
  cancellation.unwatch(left);
  cancellation.abort('gone');
  cancellation.abort('again');
  expect([watching.heard, left.heard]).toEqual([['gone'], []]);
  expect([cancellation.aborted, cancellation.reason]).toEqual([true, 'gone']);
});

it.each(['before', 'after'])('aborts a signal that is first read %s the end', (when) => {
  const cancellation = new Cancellation();
  const early = when === 'before' ? cancellation.signal : undefined;
  cancellation.abort('gone');
  expect((early ?? cancellation.signal).reason).toBe('gone');
});
