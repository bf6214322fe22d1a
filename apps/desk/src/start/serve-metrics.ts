/**
 * Measures this process, and serves the figures to Prometheus on a port of their own. It comes before the server is made,
 * because a server looks for OpenTelemetry when it boots.
 */
export async function serveMetrics(port: number): Promise<void> {
  const { metrics } = await import('@opentelemetry/api');
  const { PrometheusExporter } = await import('@opentelemetry/exporter-prometheus');
  const { MeterProvider } = await import('@opentelemetry/sdk-metrics');
  const reader = new PrometheusExporter({ host: '127.0.0.1', port, preventServerStart: true });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  await reader.startServer();
}
