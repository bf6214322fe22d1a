import { type McpServer, RateLimit } from '../../src/index.js';
import { boot } from '../support/booting.js';
import { RecordedTelemetry } from '../support/recorded-telemetry.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let telemetry: RecordedTelemetry;
beforeAll(() => void (telemetry = new RecordedTelemetry()));
afterAll(() => telemetry.stop());

let server: McpServer;
let wire: StatelessWire;
const audit = new RecordingSink();

beforeEach(async () => {
  telemetry.reset();
  audit.records.length = 0;
  server = await boot({ services: [], toolSearch: true, audit });
  const once = [RateLimit.entry({ points: 1, per: '1h', cost: 1 })];
  server.tools.add([
    { name: 'find_pages', version: '1', policies: once, handler: () => 'old' },
    { name: 'find_pages', version: '2', handler: () => 'new' },
  ]);
  wire = new StatelessWire(server);
});
afterEach(() => server.close(0));

const through = (name: string, params: object = {}) =>
  wire.call('call_tool', { name }, params as Record<string, unknown>);

/** The tools that a metric has counted since the beginning. */
async function counted(metric: string): Promise<unknown[]> {
  return (await telemetry.points(metric)).map(({ attributes }) => attributes['gen_ai.tool.name']);
}

test('Spans and durations have the name of the tool behind call_tool, and versions are one tool', async () => {
  await through('find_pages');
  await through('find_pages.v1');
  const named = telemetry.spans().map(({ name, attributes }) => [name, attributes['gen_ai.tool.name']]);
  expect(named).toEqual([
    ['tools/call find_pages', 'find_pages'],
    ['tools/call find_pages', 'find_pages'],
  ]);
  expect(await counted('mcp.server.operation.duration')).toEqual(['find_pages']);
});

test('So do calls that a guard refuses', async () => {
  await through('find_pages.v1');
  await through('find_pages.v1');
  expect(await counted('toolwright.server.calls.limited')).toEqual(['find_pages']);
  expect(telemetry.spans().at(-1)!.name).toBe('tools/call find_pages');
});

test('So do records and alerts of calls that are refused before they begin', async () => {
  const events: unknown[] = [];
  server.on('security', ({ type, operation }) => events.push([type, operation]));
  await through('find_pages', { requestState: 'forged' });
  expect(audit.records.at(-1)!.event).toMatchObject({ name: 'find_pages', reason: 'TW_STATE_INVALID' });
  expect(events).toEqual([['forgery', 'find_pages']]);
});

test('An unknown name costs the same through call_tool as by itself', async () => {
  await server.close(0);
  const sink = new RecordingSink();
  server = await boot({ services: [], toolSearch: true, audit: sink, rateLimit: { points: 5, per: '1h' } });
  server.tools.add({ name: 'find_pages', annotations: { readOnlyHint: true }, handler: () => 'found' });
  wire = new StatelessWire(server);
  for (let time = 0; time < 8; time++) {
    expect((await wire.call('no_such')).error!.message).toMatch('no_such');
    expect((await through('no_such')).result.content[0].text).toMatch('Unknown tool: "no_such"');
  }
  expect((await through('find_pages')).result.content[0].text).toBe('found');
});
