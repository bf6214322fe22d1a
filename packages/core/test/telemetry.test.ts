import { context, trace, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { createMcpServer, Timeout, ToolError, type McpServer } from '../src/index.js';
import { extend } from '../src/extend.js';
import { serveTasks } from '../src/operate.js';
import { systemClock } from '../src/ports.js';
import { MemoryTaskQueue } from '@toolwright/testing';
import { connect } from '@toolwright/testing';
import { silentLogger } from '@toolwright/core/ports';
import { boot } from './support/booting.js';
import { RecordedTelemetry } from './support/recorded-telemetry.js';
import { StatelessWire } from './wire/stateless-wire.js';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
let server: McpServer;
let seen: string | undefined;

let telemetry: RecordedTelemetry;
beforeAll(() => void (telemetry = new RecordedTelemetry()));
afterAll(() => telemetry.stop());

beforeEach(async () => {
  telemetry.reset();
  server = await createMcpServer({
    name: 'traced',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
  });
  server.tools.add({
    name: 'work',
    description: 'Works.',
    handler: async (_args, { traceparent }) => {
      seen = traceparent;
      trace.getTracer('test').startSpan('inner').end();
      return 'done';
    },
  });
  server.tools.add({
    name: 'refuse',
    description: 'Refuses.',
    handler: () => {
      throw new ToolError('Not today.');
    },
  });
});

afterEach(() => server.close());

const finished = (name: string) => telemetry.finished().find((span) => span.name === name)!;

test('a call is a server span with the name of its tool, and the spans of the tool belong to it', async () => {
  const client = await connect(server);
  await client.call('work', {});
  const span = finished('tools/call work');
  expect(span.kind).toBe(SpanKind.SERVER);
  expect(span.attributes).toMatchObject({
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': 'work',
    'gen_ai.operation.name': 'execute_tool',
    'mcp.protocol.version': '2026-07-28',
  });
  expect(span.status.code).toBe(SpanStatusCode.UNSET);
  expect(finished('inner').parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  expect(seen).toBe(`00-${span.spanContext().traceId}-${span.spanContext().spanId}-01`);
  await client.close();
});

test('a call that means another tool has the span of that tool, and all versions of a tool are one', async () => {
  server.tools.add([
    { name: 'find', version: '1', description: 'Finds.', handler: () => 'one' },
    { name: 'find', version: '2', description: 'Finds.', handler: () => 'two' },
    {
      name: 'run',
      description: 'Runs another tool.',
      inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
      handler: () => 'nothing',
    },
  ]);
  await extend(server, {
    name: '@made-up/runner',
    start: () => ({ forward: { tool: 'run', name: 'what', arguments: 'with' } }),
  });
  const wire = new StatelessWire(server);
  expect((await wire.call('run', { what: 'find.v1' })).result.content[0].text).toBe('one');
  await wire.call('run', { what: 'work' });
  await wire.call('run', { what: 'nothing_of_it' });
  expect(telemetry.finished().map(({ name }) => name)).toEqual([
    'tools/call find',
    'inner',
    'tools/call work',
    'tools/call run',
  ]);
});

test('the trace of the caller continues', async () => {
  const client = await connect(server);
  await client.request('tools/call', { name: 'work', _meta: { traceparent: PARENT } });
  const span = finished('tools/call work');
  expect(span.spanContext().traceId).toBe(PARENT.slice(3, 35));
  expect(span.parentSpanContext?.spanId).toBe(PARENT.slice(36, 52));
  await client.close();
});

test('a failed call shows its kind of failure, but not its text', async () => {
  const client = await connect(server);
  await client.call('refuse', {});
  const span = finished('tools/call refuse');
  expect(span.attributes['error.type']).toBe('tool_error');
  expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
  await client.close();
});

test('an unknown tool is an error of the protocol, with only the name of the method', async () => {
  const client = await connect(server);
  await expect(client.call('wrok', {})).rejects.toMatchObject({ code: -32602 });
  expect(finished('tools/call').attributes['error.type']).toBe('-32602');
  await client.close();
});

test('durations are measured by method, tool and kind of failure', async () => {
  const client = await connect(server);
  await client.call('work', {});
  await client.call('refuse', {});
  const metric = (await telemetry.metrics()).find(
    ({ descriptor }) => descriptor.name === 'mcp.server.operation.duration',
  );
  expect(metric!.descriptor).toMatchObject({ unit: 's' });
  const attributes = metric!.dataPoints.map((point) => point.attributes);
  expect(attributes).toContainEqual({
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': 'refuse',
    'gen_ai.operation.name': 'execute_tool',
    'error.type': 'tool_error',
  });
  await client.close();
});

test('work that outlives its call is counted by tool until it ends', async () => {
  let end!: (value: string) => void;
  server.tools.add({
    name: 'deaf',
    description: 'Does not listen.',
    policies: [Timeout.entry('1ms')],
    handler: () => new Promise<string>((resolve) => (end = resolve)),
  });
  const abandoned = async () => {
    const points = await telemetry.points('toolwright.server.calls.abandoned');
    return points.find(({ attributes }) => attributes['gen_ai.tool.name'] === 'deaf')?.value;
  };
  const client = await connect(server);
  expect((await client.call('deaf', {})).isError).toBe(true);
  expect(await abandoned()).toBe(1);
  end('at last');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await abandoned()).toBe(0);
  await client.close();
});

test('A shared store that is away is seen in the metrics of each process', async () => {
  let up = true;
  const secrets = ['s'.repeat(32)];
  const sharing = await createMcpServer({
    name: 'stored',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
    secrets,
    stores: { health: () => [{ store: 'redis', up, since: 0 }] },
  });
  const states = async () =>
    (await telemetry.points('toolwright.server.store.up')).map(({ attributes, value }) => [
      attributes['store'],
      value,
    ]);
  const client = await connect(sharing);
  await client.call('nothing', {}).catch(() => undefined);
  expect(await states()).toEqual([['redis', 1]]);
  up = false;
  expect(await states()).toEqual([['redis', 0]]);
  await client.close();
  await sharing.close();
});

test('A task on a queue is a span of the trace that its call belongs to, and the queue is measured', async () => {
  const secrets = ['s'.repeat(32)];
  const queue = new MemoryTaskQueue(systemClock);
  const queued = await createMcpServer({
    ...{ stores: { tasks: queue }, name: 'queued', version: '1.0.0', services: [], secrets },
    logger: silentLogger,
  });
  queued.tools.add({
    ...{ name: 'work', description: 'Works.', task: 'required' },
    handler: (_args, { traceparent }) => void (seen = traceparent),
  });
  const wire = StatelessWire.of(queued, 'ada', { extensions: { 'io.modelcontextprotocol/tasks': {} } });
  await wire.request('tools/call', { name: 'work' }, { meta: { traceparent: PARENT } });
  const figures = (await telemetry.metrics())
    .filter(({ descriptor }) => descriptor.name.startsWith('toolwright.server.tasks.'))
    .map(({ descriptor, dataPoints }) => [descriptor.name.split('.').at(-1), dataPoints.at(-1)?.value]);
  expect(figures).toEqual([
    ['waiting', 1],
    ['running', 0],
    ['dead', 0],
    ['oldest', expect.any(Number)],
    ['depth', 1],
  ]);
  await serveTasks(queued, { signals: false });
  await new Promise((resolve) => setImmediate(resolve));
  const [call, run] = telemetry.finished().filter(({ name }) => name === 'tools/call work');
  expect(run!.attributes['toolwright.task.attempt']).toBe(1);
  expect(run!.parentSpanContext?.spanId).toBe(call!.spanContext().spanId);
  expect(seen).toBe(`00-${PARENT.split('-')[1]}-${run!.spanContext().spanId}-01`);
  await queued.close();
});
