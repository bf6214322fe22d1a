import { context, metrics, propagation, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

type Attributes = Readonly<Record<string, unknown>>;

/** A metric as it was exported last, a point for each set of attributes. */
interface Point {
  readonly metric: string;
  readonly attributes: Attributes;
}

/** The SDK of OpenTelemetry, which keeps what servers tell it. There is one at a time in a process. */
export class RecordedTelemetry {
  readonly #spans = new InMemorySpanExporter();
  readonly #exported = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #reader = new PeriodicExportingMetricReader({
    exporter: this.#exported,
    exportIntervalMillis: 1_000_000,
  });

  constructor() {
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.#spans)] }).register();
    metrics.setGlobalMeterProvider(new MeterProvider({ readers: [this.#reader] }));
  }

  spans(): { readonly name: string; readonly attributes: Attributes }[] {
    return this.#spans.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes }));
  }

  async points(): Promise<Point[]> {
    await this.#reader.forceFlush();
    const [latest] = this.#exported.getMetrics().slice(-1);
    return (latest?.scopeMetrics ?? []).flatMap((scope) =>
      scope.metrics.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes }) => ({ metric: descriptor.name, attributes })),
      ),
    );
  }

  async stop(): Promise<void> {
    await this.#reader.shutdown();
    for (const api of [trace, metrics, propagation, context]) api.disable();
  }
}
