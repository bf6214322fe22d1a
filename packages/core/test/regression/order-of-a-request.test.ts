import { join } from 'node:path';
import { createMcpServer, type McpServer, type Principal } from '@toolwright/core';
import type { Manifest } from '@toolwright/manifest';
import { buildManifest } from '@toolwright/schema-compiler';
import { OrderTools, stock } from '../fixtures/guarded/src/order-tools.js';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const forever = () => new Promise<never>(() => undefined);
const canAsk = { elicitation: {} };
const ann: Principal = { subject: 'ann', scopes: [] };
let manifest: Manifest;
let clock: FakeClock;
let sink: RecordingSink;
let server: McpServer;

beforeAll(async () => {
  ({ manifest } = await buildManifest({ project: join(__dirname, '../fixtures/guarded/tsconfig.json') }));
});

beforeEach(async () => {
  Object.assign(stock, { isKnown: () => true, checked: [], ordered: [], asked: [] });
  clock = new FakeClock();
  sink = new RecordingSink();
  server = await createMcpServer({
    name: 'orders',
    version: '1',
    services: [OrderTools],
    manifest,
    ports: { clock },
    audit: sink,
    timeout: '5s',
    logger: new RecordingLogger(),
  });
});

afterEach(() => server.close(0));

const wire = (capabilities: object = {}) =>
  new StatelessWire(server, { principal: ann, ip: undefined, transport: 'memory' }, capabilities);

test('200 calls with a validator that hangs are all answered at the deadline, are audited, and count as abandoned', async () => {
  stock.isKnown = forever;
  const client = wire();
  const calls = Array.from({ length: 200 }, () => client.call('order', { sku: 'a' }));
  await clock.advance(4_999);
  expect(stock.checked).toHaveLength(32);
  expect(sink.records).toEqual([]);
  await clock.advance(1);
  const answers = await Promise.all(calls);
  const ended = answers.filter(({ result }) => /within 5 s/.test(result?.content[0].text));
  // Those that waited behind them are refused, or have reached their deadline, too.
  const refused = answers.filter(({ error }) => error?.code === 503);
  expect(ended.length).toBeGreaterThanOrEqual(32);
  expect(ended.length + refused.length).toBe(200);
  expect(sink.events.filter((event) => event === 'outcome timeout')).toHaveLength(ended.length);
  expect(sink.events).toHaveLength(200);
  // As many as one caller may leave behind for a tool: the next one is refused at once.
  const { error } = await client.call('order', { sku: 'b' });
  expect(error).toMatchObject({ code: 503, data: { retryAfterMs: 1_000 } });
  // The slots, and what their caller may leave behind.
  expect(stock.checked.length).toBeLessThan(32 + 32);
  expect(stock.ordered).toEqual([]);
});

test('arguments that a validator accepts after the deadline are not used', async () => {
  let admit!: (known: boolean) => void;
  stock.isKnown = () => new Promise((resolve) => (admit = resolve));
  const call = wire().call('order', { sku: 'a' });
  await clock.advance(5_000);
  expect((await call).result.isError).toBe(true);
  admit(true);
  await clock.advance(0);
  expect(stock.ordered).toEqual([]);
});

test('nobody is asked about arguments that a validator refuses', async () => {
  stock.isKnown = async () => false;
  const { result } = await wire(canAsk).call('orderForSure', { sku: 'a' });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('an article that we have') }],
  });
  expect(stock.asked).toEqual([]);
  stock.isKnown = async () => true;
  expect((await wire(canAsk).call('orderForSure', { sku: 'a' })).result).toMatchObject({
    resultType: 'input_required',
  });
  expect(stock.asked).toEqual(['a']);
  expect(stock.ordered).toEqual([]);
});

test('arguments of the wrong shape wait for nothing, and no validator sees them', async () => {
  stock.isKnown = forever;
  const busy = Array.from({ length: 32 }, () => wire().call('order', { sku: 'a' }));
  await clock.advance(0);
  const { result } = await wire().call('order', { sku: 7 });
  expect(result.content[0].text).toContain('sku: expected a string');
  expect(stock.checked).toHaveLength(32);
  await clock.advance(5_000);
  await Promise.all(busy);
});

test('the intent of a strict call is recorded before its validators run', async () => {
  const seen: string[][] = [];
  stock.isKnown = () => (seen.push(sink.events), false);
  await wire(canAsk).call('orderForSure', { sku: 'a' });
  expect(seen).toEqual([['intent']]);
  expect(sink.events).toEqual(['intent', 'outcome invalid']);
});
