import type { Principal } from '@toolwright/core';
import type { SecurityEvent } from '@toolwright/core/operate';
import type { AuditEvent } from '@toolwright/core/ports';
import { boot } from '../support/booting.js';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const principal = (subject: string): Principal => ({ issuer: 'https://i', subject, scopes: [] });
const peer = (subject?: string) => ({
  principal: subject === undefined ? undefined : principal(subject),
  ip: '192.0.2.1',
  transport: 'memory' as const,
});
const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const asking = { elicitation: { form: {} } };

async function setUp() {
  const clock = new FakeClock();
  const sink = new RecordingSink();
  const logger = new RecordingLogger();
  const alerts: SecurityEvent[] = [];
  const server = await boot({
    services: [],
    audit: sink,
    ports: { clock },
    logger,
    rateLimit: false,
    authorize: (caller, operation) => operation.name !== 'secret' || caller?.subject === 'admin',
  });
  server.on('security', (event) => alerts.push(event));
  const question = { message: 'Sure?', schema: { type: 'object', properties: {} } } as const;
  server.tools.add({
    name: 'ask',
    handler: async (_args, context) => (await context.elicit('sure', question)).action,
  });
  server.tools.add({ name: 'long', task: 'required', handler: () => 'done' });
  server.prompts.add({
    name: 'secret',
    handler: () => 'x',
    arguments: [{ name: 'a' }],
    complete: { a: () => [] },
  });
  const records = (): AuditEvent[] => sink.records.map(({ event }) => event);
  const wire = (subject?: string, capabilities: object = { ...asking, ...tasks }) =>
    new StatelessWire(server, peer(subject), capabilities);
  return { server, clock, sink, logger, alerts, records, wire };
}

const last = (records: AuditEvent[]) => {
  const { event, operation, name, reason, detail, principal: caller, ip } = records.at(-1)!;
  return { event, operation, name, reason, detail, subject: caller?.subject, ip };
};

describe('a refusal before a request becomes a call is recorded', () => {
  test.each<[string, string, object, Partial<AuditEvent>]>([
    ['an unknown tool', 'tools/call', { name: 'nope' }, { operation: 'tool', reason: 'TW_UNKNOWN_NAME' }],
    [
      'an unknown prompt',
      'prompts/get',
      { name: 'nope' },
      { operation: 'prompt', reason: 'TW_UNKNOWN_NAME' },
    ],
    [
      'an unknown resource',
      'resources/read',
      { uri: 'nope' },
      { operation: 'resource', reason: 'TW_UNKNOWN_NAME' },
    ],
    [
      'a hidden completion',
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'secret' }, argument: { name: 'a', value: '' } },
      { operation: 'completion', reason: 'TW_HIDDEN', name: 'secret' },
    ],
    [
      'a foreign task that is read',
      'tasks/get',
      { taskId: 'nope' },
      { operation: 'task', reason: 'TW_TASK_UNKNOWN' },
    ],
    [
      'a foreign task that is answered',
      'tasks/update',
      { taskId: 'nope', inputResponses: {} },
      { operation: 'task', reason: 'TW_TASK_UNKNOWN' },
    ],
    [
      'a foreign task that is cancelled',
      'tasks/cancel',
      { taskId: 'nope' },
      { operation: 'task', reason: 'TW_TASK_UNKNOWN' },
    ],
    [
      'arguments of another shape',
      'tools/call',
      { name: 'ask', arguments: 5 },
      { operation: 'tool', name: 'ask', reason: 'TW_REQUEST_INVALID' },
    ],
  ])('%s', async (_, method, params, expected) => {
    const { server, records, wire } = await setUp();
    server.resources.add({ name: 'r', uri: 'a://b', handler: () => '' });
    expect((await wire('alice').request(method, { ...params })).error).toBeDefined();
    const from = { event: 'denied', name: 'nope', subject: 'alice', ip: '192.0.2.1' };
    expect(last(records())).toMatchObject({ ...from, ...expected });
    await server.close(0);
  });

  test('for a task of another caller, which the record distinguishes from a missing task', async () => {
    const { server, records, wire } = await setUp();
    const { result } = await wire('alice').call('long');
    const { error } = await wire('bob').request('tasks/get', { taskId: result.taskId });
    expect(last(records())).toMatchObject({ reason: 'TW_TASK_UNKNOWN', detail: 'foreign', subject: 'bob' });
    expect(await wire('bob').request('tasks/get', { taskId: 'none' })).toMatchObject({ error });
    expect(last(records())).toMatchObject({ reason: 'TW_TASK_UNKNOWN', detail: undefined });
    await server.close(0);
  });

  test('for a malformed envelope of a call', async () => {
    const { server, records } = await setUp();
    const connection = server.protocol.connect(peer('alice'), () => undefined);
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    connection.receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask', _meta } });
    expect(last(records())).toMatchObject({ operation: 'tool', name: 'ask', reason: 'TW_REQUEST_INVALID' });
    connection.receive({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta } });
    expect(records()).toHaveLength(1);
    await server.close(0);
  });
});

describe('an invalid requestState', () => {
  const call = { name: 'ask', arguments: {}, inputResponses: {} };
  const stateOf = async (wire: StatelessWire) =>
    (await wire.request('tools/call', { name: 'ask', arguments: {} })).result.requestState as string;

  test.each<[string, (state: string) => [subject: string, params: object]]>([
    ['forged', () => ['mallory', { ...call, requestState: 'AAAA' }]],
    ['stolen', (state) => ['mallory', { ...call, requestState: state }]],
    ['misplaced', (state) => ['alice', { ...call, arguments: { other: 1 }, requestState: state }]],
  ])('is recorded and raises a security event at once: %s', async (detail, attempt) => {
    const { server, records, alerts, logger, wire } = await setUp();
    const [subject, params] = attempt(await stateOf(wire('alice')));
    const { error } = await wire(subject).request('tools/call', { ...params });
    expect(error).toMatchObject({ code: -32602, message: expect.not.stringContaining(detail) });
    expect(last(records())).toMatchObject({ reason: 'TW_STATE_INVALID', detail, name: 'ask', subject });
    expect(alerts).toEqual([
      {
        type: 'forgery',
        reason: detail,
        caller: expect.stringContaining(subject),
        operation: 'ask',
        count: 1,
        time: expect.any(Number),
      },
    ]);
    expect(logger.lines.at(-1)).toMatchObject({ level: 'warn', fields: { detail, subject } });
    await server.close(0);
  });

  test('is recorded if it comes twice', async () => {
    const { server, records, alerts, wire } = await setUp();
    const requestState = await stateOf(wire('alice'));
    await wire('alice').request('tools/call', { ...call, requestState });
    await wire('alice').request('tools/call', { ...call, requestState });
    expect(last(records())).toMatchObject({ reason: 'TW_STATE_INVALID', detail: 'used' });
    expect(alerts.map(({ reason }) => reason)).toEqual(['used']);
    await server.close(0);
  });
});

describe('a flood of refusals', () => {
  test('has few records, and their counts add up when the minute or the server ends', async () => {
    const { server, clock, records, logger, wire } = await setUp();
    const mallory = wire('mallory');
    for (let index = 0; index < 3_000; index++) await mallory.call(`guess-${index}`);
    const sum = () => records().reduce((total, { count = 1 }) => total + count, 0);
    expect(records().length).toBeLessThan(30);
    expect(sum()).toBeGreaterThan(1_000);
    await clock.advance(60_000);
    expect(sum()).toBe(3_000);
    for (let index = 0; index < 99; index++) await mallory.call(`guess-${index}`);
    await server.close(0);
    expect(sum()).toBe(3_099);
    expect(logger.lines.length).toBeLessThan(60);
  });

  test('of many callers shares its records', async () => {
    const { server, records, wire } = await setUp();
    for (let index = 0; index < 3_000; index++) await wire(`caller-${index}`).call('nope');
    expect(records().length).toBeLessThan(1_100);
    await server.close(0);
    expect(records().reduce((total, { count = 1 }) => total + count, 0)).toBe(3_000);
  });

  test('raises an event when it begins', async () => {
    const { server, alerts, wire } = await setUp();
    for (let index = 0; index < 9; index++) await wire('mallory').call('nope');
    expect(alerts).toEqual([]);
    await wire('mallory').call('nope');
    expect(alerts).toEqual([
      expect.objectContaining({ type: 'denied', reason: 'TW_UNKNOWN_NAME', count: 10 }),
    ]);
    await server.close(0);
  });
});

test('text of a caller is short in records, and hides nothing', async () => {
  const { server, records, wire } = await setUp();
  await wire('mallory').call(`\u001b[8m\u202ehi\u200b${'x'.repeat(10_000)}`);
  const { name } = records().at(-1)!;
  expect(name).toMatch(/^\\u\{1b\}\[8m\\u\{202e\}hi\\u\{200b\}x+…$/);
  expect(name.length).toBeLessThan(300);
  await server.close(0);
});

test('a log that fails delays no answer', async () => {
  const { server, sink, logger, wire } = await setUp();
  sink.before = () => {
    throw new Error('disk');
  };
  expect((await wire('alice').call('nope')).error).toMatchObject({ code: -32602 });
  expect(logger.lines.some(({ level }) => level === 'error')).toBe(true);
  await server.close(0);
});

test('a listener to security events that fails is logged, and the others hear of the event', async () => {
  const { server, logger, wire } = await setUp();
  const heard: string[] = [];
  server.on('security', () => {
    throw new Error('listener');
  });
  server.on('security', ({ type }) => heard.push(type));
  for (let time = 0; time < 10; time++) await wire('eve').request('tools/call', { name: `none${time}` });
  expect(heard).toEqual(['denied']);
  const message = 'A listener for security events failed';
  expect(logger.lines.filter((line) => line.message === message)).toHaveLength(1);
  const strict = server.tools.add({
    name: 'strict',
    inputSchema: { type: 'object', required: ['id'] },
    handler: () => 1,
  });
  for (let time = 0; time < 10; time++) await wire('eve').request('tools/call', { name: strict.name });
  expect(heard).toEqual(['denied', 'malformed']);
});
