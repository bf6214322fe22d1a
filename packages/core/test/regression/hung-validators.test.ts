import { Concurrency, Confirm, createMcpServer, type McpServer, type ServerOptions } from '@toolwright/core';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let clock: FakeClock;
let server: McpServer;
let isHanging: boolean;
/** Ends the validators that hang. */
let ends: ((result: { value: unknown }) => void)[];
let runs: number;

/** A schema whose check asks a database, say. */
const checked = {
  '~standard': {
    version: 1 as const,
    vendor: 'slow',
    validate: (value: unknown): Promise<{ value: unknown }> =>
      isHanging ? new Promise((resolve) => ends.push(resolve)) : Promise.resolve({ value }),
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
};

async function boot(options: Partial<ServerOptions> = {}): Promise<void> {
  clock = new FakeClock();
  isHanging = true;
  ends = [];
  runs = 0;
  server = await createMcpServer({
    ...{ name: 'slow', version: '1', services: [], ports: { clock }, logger: new RecordingLogger() },
    ...{ timeout: '5s', concurrency: { perPrincipal: 2 }, rateLimit: false },
    ...options,
  });
  server.tools.add({
    name: 'save',
    description: 'Saves.',
    inputSchema: checked as never,
    handler: () => `saved ${++runs}`,
  });
}
afterEach(() => server.close(0));

const as = (subject: string, capabilities: object = {}) =>
  new StatelessWire(
    server,
    { principal: { subject, scopes: [] }, ip: undefined, transport: 'memory' },
    capabilities,
  );
const save = (subject = 'ann') => as(subject).call('save');

/** A call whose validator hangs until its deadline. */
async function hung(subject = 'ann') {
  const call = save(subject);
  await clock.advance(5_000);
  return (await call).result ?? (await call).error;
}

test('two validators that hang leave their caller its slots when the deadline has ended their calls', async () => {
  await boot();
  const both = await Promise.all([hung(), hung()]);
  expect(both.map(({ content }) => content[0].text)).toEqual(
    Array(2).fill(expect.stringContaining('did not finish within 5 s')),
  );
  isHanging = false;
  expect((await save()).result.content[0].text).toBe('saved 1');
  expect(server.protocol.abandoned).toBe(2);
  for (const end of ends) end({ value: {} });
  await clock.advance(0);
  expect([server.protocol.abandoned, runs]).toEqual([0, 1]);
});

test('a slot of @Concurrency is free, too', async () => {
  await boot();
  server.tools.add({
    name: 'one',
    description: 'One at a time.',
    inputSchema: checked as never,
    policies: [Concurrency.entry({ max: 1 })],
    handler: () => 'done',
  });
  const call = as('ann').call('one');
  await clock.advance(5_000);
  await call;
  isHanging = false;
  expect((await as('bob').call('one')).result.content[0].text).toBe('done');
});

test('a cancelled call keeps its slot until its deadline would have passed', async () => {
  await boot({ concurrency: { perPrincipal: 1 } });
  const first = as('ann').open('tools/call', { params: { name: 'save', arguments: {} } });
  await clock.advance(1_000);
  first.giveUp();
  isHanging = false;
  const next = save();
  await clock.advance(3_000);
  expect(runs).toBe(0);
  await clock.advance(1_000);
  expect((await next).result.content[0].text).toBe('saved 1');
});

test('one caller has an eighth of the limit, others go on, and after ten minutes it may try again', async () => {
  await boot({ concurrency: { abandonedWork: { perTool: 16 } } });
  expect((await hung()).content).toBeDefined();
  expect((await hung()).content).toBeDefined();
  expect(await hung()).toMatchObject({ code: 503 });
  isHanging = false;
  expect((await save('bob')).result.content[0].text).toBe('saved 1');
  await clock.advance(600_000);
  expect(server.protocol.abandoned).toBe(0);
  expect((await save()).result.content[0].text).toBe('saved 2');
});

test('the words of a confirmation that never come are treated alike', async () => {
  await boot({ concurrency: { perPrincipal: 1 } });
  server.tools.add({
    name: 'wipe',
    description: 'Wipes.',
    policies: [Confirm.entry(() => new Promise<string>(() => undefined))],
    handler: () => 'wiped',
  });
  const call = as('ann', { elicitation: {} }).call('wipe');
  await clock.advance(5_000);
  await call;
  isHanging = false;
  expect((await save()).result.content[0].text).toBe('saved 1');
});
