import { context, metrics, propagation, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';

type Attributes = Readonly<Record<string, unknown>>;

/** A metric as it was exported last, a point for each set of attributes. */
interface Point {
  readonly metric: string;
  readonly value: number;
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

  /** Forgets what was told so far. */
  reset(): void {
    this.#spans.reset();
    this.#exported.reset();
  }

  finished(): ReadableSpan[] {
    return this.#spans.getFinishedSpans();
  }

  spans(): { readonly name: string; readonly attributes: Attributes }[] {
    return this.finished().map(({ name, attributes }) => ({ name, attributes }));
  }

  async metrics(): Promise<MetricData[]> {
    await this.#reader.forceFlush();
    const [latest] = this.#exported.getMetrics().slice(-1);
    return (latest?.scopeMetrics ?? []).flatMap((scope) => scope.metrics);
  }

  /** @param name default: the points of all metrics */
  async points(name?: string): Promise<Point[]> {
    return (await this.metrics())
      .filter(({ descriptor }) => name === undefined || descriptor.name === name)
      .flatMap(({ descriptor, dataPoints }) =>
        (dataPoints as DataPoint<number>[]).map(({ attributes, value }) => ({
          metric: descriptor.name,
          attributes,
          value,
        })),
      );
  }

  async stop(): Promise<void> {
    await this.#reader.shutdown();
    for (const api of [trace, metrics, propagation, context]) api.disable();
  }
}
