import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { connect } from '@toolwright/testing';
import { createMcpServer } from '../../src/index.js';

test('a call knows its span also where the SDK has no propagator', async () => {
  const spans = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).register({ propagator: null });
  const server = await createMcpServer({ name: 'traced', version: '1.0.0', services: [], audit: false });
  let seen: string | undefined;
  server.tools.add({
    name: 'work',
    description: 'Works.',
    handler: (_args, { traceparent }) => {
      seen = traceparent;
    },
  });
  const traced: (string | undefined)[] = [];
  server.on('call', ({ traceparent }) => traced.push(traceparent));
  const client = await connect(server);
  await client.call('work', {});
  const span = spans.getFinishedSpans().find(({ name }) => name === 'tools/call work')!;
  const { traceId, spanId } = span.spanContext();
  expect(seen).toBe(`00-${traceId}-${spanId}-01`);
  expect(traced).toEqual([seen, seen]);
  await client.close();
  await server.close();
});
