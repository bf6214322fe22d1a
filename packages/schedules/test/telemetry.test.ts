import type { ToolContext } from '@toolwright/core';
import { Scheduled } from '@toolwright/schedules';
import { boot } from '../../core/test/support/booting.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import { Gates } from '../../core/test/support/gates.js';
import { RecordedTelemetry } from '../../core/test/support/recorded-telemetry.js';
import { scheduleMetrics } from '../src/metrics.js';

let telemetry: RecordedTelemetry;
beforeAll(() => void (telemetry = new RecordedTelemetry()));
afterAll(() => telemetry.stop());

test('times of schedules are counted by what became of them, and a run is a span', async () => {
  const clock = new FakeClock(Date.UTC(2027, 0, 2, 3));
  const gates = new Gates();
  class Jobs {
    @Scheduled('* * * * *', { name: 'slow' }) slow({ signal }: ToolContext) {
      return gates.wait('end', signal);
    }
    @Scheduled('0 4 * * *', { name: 'late', catchUp: '10s' }) late() {}
  }
  const scheduled = await boot({ services: [Jobs], ports: { clock } });
  // One run begins, the next two find it running.
  for (let minute = 0; minute < 3; minute++) await clock.advance(60_000);
  gates.open('end');
  await clock.advance(0);
  clock.leap(58 * 60_000);
  await clock.advance(0);
  const ticks = (await telemetry.points())
    .filter(({ metric }) => Object.hasOwn(scheduleMetrics, metric))
    .map(({ attributes, value }) => [
      attributes['toolwright.schedule.name'],
      attributes['toolwright.schedule.outcome'],
      value,
    ]);
  expect(ticks).toEqual(
    expect.arrayContaining([
      ['slow', 'begun', 2],
      ['slow', 'overlapping', 2],
      ['slow', 'missed', 1],
      ['late', 'missed', 1],
      // An alert on the increase of a series sees its first event only if the series was there before.
      ['late', 'begun', 0],
      ['late', 'overlapping', 0],
    ]),
  );
  expect(ticks).toHaveLength(6);
  expect(telemetry.spans().find(({ name }) => name === 'schedule slow')!.attributes).toMatchObject({
    'toolwright.schedule.name': 'slow',
  });
  const closing = scheduled.close(0);
  await clock.advance(0);
  await closing;
});
