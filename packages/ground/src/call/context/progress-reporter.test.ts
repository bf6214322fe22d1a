import { FakeClock } from '../../../../core/test/support/fake-clock.js';
import { type ProgressReport, ProgressReporter } from './progress-reporter.js';

test('reports of a client that is behind become one, with all parts of the result', async () => {
  const clock = new FakeClock();
  const sent: ProgressReport[] = [];
  let isBehind = true;
  const reporter = new ProgressReporter(
    clock,
    (progress) => void sent.push(progress),
    () => isBehind,
  );
  for (let progress = 1; progress <= 3; progress++) reporter.report({ progress, part: [progress] });
  await clock.advance(10_000);
  expect(sent).toEqual([]);
  isBehind = false;
  await clock.advance(1_000);
  expect(sent).toEqual([{ progress: 3, part: [1, 2, 3] }]);
  reporter.report({ progress: 4 });
  expect(sent).toHaveLength(2);
  isBehind = true;
  reporter.report({ progress: 5 });
  reporter.end();
  expect([sent.at(-1), clock.pending]).toEqual([{ progress: 5 }, 0]);
});
