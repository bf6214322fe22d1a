import { readFileSync } from 'node:fs';
import { processorTime } from './processor-time.js';
import { Sandbox } from './sandbox.js';
import { onLinux } from '../../../../.ci/test/support/on-platforms.js';

test('a thread that cannot start is a failure of the server, and not the memory of a program', async () => {
  const sandbox = new Sandbox('/nowhere/worker.js');
  const limits = { memory: 1, result: 1, logs: 1 };
  const order = { start: { code: '', seed: 1, limits, room: undefined }, now: 0, ms: 1_000 };
  await expect(sandbox.turn(order)).rejects.toThrow('The thread of a program could not start');
  expect(sandbox.isUsable).toBe(false);
});

// Where the kernel counts it.
onLinux('a thread that waits has no processor, and one that works has', () => {
  const began = processorTime()!;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  const waited = processorTime()! - began;
  let text = '';
  for (let at = 0; at < 2_000; at++) text += readFileSync(__filename, 'utf8').length;
  expect(text).not.toBe('');
  expect(waited).toBeLessThan(150);
  expect(processorTime()! - began - waited).toBeGreaterThan(0);
});
