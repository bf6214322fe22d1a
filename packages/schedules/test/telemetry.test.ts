import { context, metrics, propagation, trace } from '@opentelemetry/api';
import {
  InMemoryMetricExporter,
  AggregationTemporality,
  type DataPoint,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import type { ToolContext } from '@toolwright/core';
import { Scheduled } from '@toolwright/schedules';
import { boot } from '../../core/test/support/booting.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import { Gates } from '../../core/test/support/gates.js';
import { scheduleMetrics } from '../src/metrics.js';

const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 1_000_000 });

beforeAll(() => {
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
});

afterAll(async () => {
  await reader.shutdown();
  for (const api of [trace, metrics, propagation, context]) api.disable();
});

const finished = (name: string) => spans.getFinishedSpans().find((span) => span.name === name)!;

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
  await reader.forceFlush();
  const ticks = measured
    .getMetrics()
    .at(-1)!
    .scopeMetrics.flatMap((scope) => scope.metrics)
    .filter(({ descriptor }) => Object.hasOwn(scheduleMetrics, descriptor.name))
    .flatMap((metric) => metric.dataPoints as DataPoint<number>[])
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
  expect(finished('schedule slow').attributes).toMatchObject({ 'toolwright.schedule.name': 'slow' });
  const closing = scheduled.close(0);
  await clock.advance(0);
  await closing;
});
