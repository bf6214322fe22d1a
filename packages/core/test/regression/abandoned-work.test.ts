import { Concurrency, createMcpServer, Timeout, type McpServer, type ServerOptions } from '@toolwright/core';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { StatelessWire, type WireAnswer } from '../wire/stateless-wire.js';

const TASKS = 'io.modelcontextprotocol/tasks';
let clock: FakeClock;
let logger: RecordingLogger;
let server: McpServer;
/** Ends the work of the running calls, the oldest first. */
let ends: (() => void)[];
let most: number;

async function boot(options: Partial<ServerOptions> = {}): Promise<void> {
  clock = new FakeClock();
  logger = new RecordingLogger();
  ends = [];
  most = 0;
  server = await createMcpServer({
    name: 'deaf',
    version: '1',
    services: [],
    ports: { clock },
    logger,
    timeout: '5s',
    ...options,
  });
}

/** A tool that ignores its signal. */
function addDeaf(name: string, options: object = {}): void {
  server.tools.add({
    name,
    ...options,
    handler: () =>
      new Promise<string>((resolve) => {
        const end = () => {
          ends.splice(ends.indexOf(end), 1);
          resolve('late');
        };
        ends.push(end);
        most = Math.max(most, ends.length);
      }),
  });
}

async function endOldest(): Promise<void> {
  ends[0]!();
  await clock.advance(0);
}

const as = (subject: string, capabilities: object = {}) =>
  new StatelessWire(
    server,
    { principal: { subject, scopes: [] }, ip: undefined, transport: 'memory' },
    capabilities,
  );
const text = ({ result }: WireAnswer): string => result.content[0].text as string;

test('a limit of 2 holds for 30 calls that all run longer than their deadline, again and again', async () => {
  await boot();
  addDeaf('render', { policies: [Concurrency.entry({ max: 2 })] });
  const calls = Array.from({ length: 30 }, (_, index) => as(`caller ${index}`).call('render'));
  await clock.advance(5_000);
  expect((await Promise.all(calls)).filter(({ result }) => result.isError)).toHaveLength(30);
  expect(most).toBe(2);
  const next = as('ann').call('render');
  await clock.advance(1_000);
  expect(ends).toHaveLength(2);
  await endOldest();
  expect(ends).toHaveLength(2);
  expect(most).toBe(2);
  ends[1]!();
  expect(text(await next)).toBe('late');
  await endOldest();
  expect(server.runningWork()).toEqual([]);
});

test('the limit per caller also counts work that outlives its calls, and other callers have their own limit', async () => {
  await boot({ concurrency: { perPrincipal: 3 } });
  addDeaf('fetch');
  const calls = Array.from({ length: 10 }, () => as('ann').call('fetch'));
  await clock.advance(5_000);
  await Promise.all(calls);
  expect(ends).toHaveLength(3);
  const other = as('bob').call('fetch');
  await clock.advance(0);
  expect(ends).toHaveLength(4);
  ends[3]!();
  expect(text(await other)).toBe('late');
});

test('the running work is reported by operation', async () => {
  await boot();
  addDeaf('fetch');
  addDeaf('slow', { policies: [Timeout.entry('1h')] });
  void as('ann').call('slow');
  const calls = [as('ann').call('fetch'), as('ann').call('fetch')];
  await clock.advance(5_000);
  await Promise.all(calls);
  expect(server.runningWork()).toEqual([
    { kind: 'tool', name: 'fetch', running: 2, abandoned: 2 },
    { kind: 'tool', name: 'slow', running: 1, abandoned: 0 },
  ]);
  expect(server.protocol.abandoned).toBe(2);
});

test('at the limit of abandoned work new calls are refused as overload, for one tool or for all', async () => {
  await boot({ concurrency: { abandonedWork: { perTool: 2, total: 3 } } });
  addDeaf('fetch');
  addDeaf('other');
  const abandon = async (tool: string) => {
    const call = as('ann').call(tool);
    await clock.advance(5_000);
    return call;
  };
  await abandon('fetch');
  await abandon('fetch');
  const busy = { code: 503, message: 'The server is busy; retry in 1 s.', data: { retryAfterMs: 1_000 } };
  expect((await as('bob').call('fetch')).error).toEqual(busy);
  await abandon('other');
  expect((await as('bob').call('other')).error).toEqual(busy);
  while (ends.length > 0) await endOldest();
  const again = as('bob').call('fetch');
  await clock.advance(0);
  await endOldest();
  expect(text(await again)).toBe('late');
});

test('abandoned work of anonymous callers never blocks a principal', async () => {
  await boot({ concurrency: { abandonedWork: { perTool: 1, total: 2 } } });
  addDeaf('fetch');
  addDeaf('other');
  const anybody = new StatelessWire(server);
  const calls = ['fetch', 'other'].map((name) => anybody.call(name));
  await clock.advance(5_000);
  await Promise.all(calls);
  expect((await anybody.call('fetch')).error?.code).toBe(503);
  const call = as('ann').call('fetch');
  await clock.advance(0);
  expect(ends).toHaveLength(3);
  ends[2]!();
  expect(text(await call)).toBe('late');
  while (ends.length > 0) await endOldest();
});

test('a stop does not wait for abandoned work, and logs what still runs', async () => {
  await boot();
  addDeaf('fetch');
  const call = as('ann').call('fetch');
  await clock.advance(5_000);
  await call;
  expect(await server.drain(10_000)).toBe(false);
  expect(logger.lines.at(-1)).toMatchObject({
    level: 'warn',
    message: 'The server stops while work is still running',
    fields: { running: [{ kind: 'tool', name: 'fetch', running: 1, abandoned: 1 }] },
  });
  await endOldest();
  expect(await server.drain(10_000)).toBe(true);
});

test('a stop waits for calls without an answer', async () => {
  await boot();
  addDeaf('fetch');
  const call = as('ann').call('fetch');
  const drained = server.drain(10_000);
  await clock.advance(1_000);
  await endOldest();
  expect(await drained).toBe(true);
  expect(text(await call)).toBe('late');
});

describe('a task', () => {
  const client = () => as('ann', { extensions: { [TASKS]: {} } });

  test('that was cancelled keeps its slot until its work ends', async () => {
    await boot({ concurrency: { perPrincipal: 1 } });
    addDeaf('import', { task: 'required' });
    const { result } = await client().call('import');
    await clock.advance(0);
    await client().request('tasks/cancel', { taskId: result.taskId });
    await clock.advance(0);
    expect(server.runningWork()).toMatchObject([{ name: 'import', running: 1, abandoned: 1 }]);
    const next = await client().call('import');
    expect(next.result.resultType).toBe('task');
    expect(ends).toHaveLength(1);
    await endOldest();
    expect(ends).toHaveLength(1);
    expect(most).toBe(1);
    await endOldest();
    const ended = await client().request('tasks/get', { taskId: next.result.taskId });
    expect(ended.result).toMatchObject({ status: 'completed', result: { content: [{ text: 'late' }] } });
  });

  test('begins at once, however many calls of its caller are running', async () => {
    await boot({ concurrency: { perPrincipal: 2 } });
    addDeaf('import', { task: 'optional' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => client().call('import')));
    expect(answers.map(({ result }) => result.resultType)).toEqual(Array(5).fill('task'));
    await clock.advance(60_000);
    expect(ends).toHaveLength(2);
    for (let left = 5; left > 0; left--) await endOldest();
    const { result } = await client().request('tasks/get', { taskId: answers[4]!.result.taskId });
    expect(result.status).toBe('completed');
  });
});
