import {
  Confirm,
  MaxOutput,
  type McpServer,
  ProtocolError,
  RateLimit,
  RequireScopes,
  type ServerOptions,
  ToolError,
} from '@toolwright/core';
import type { CallTrace, ToolDefinition } from '@toolwright/core/operate';
import { boot } from './support/booting.js';
import { settled } from './support/fake-clock.js';
import { addRunner, type Ended, type Wanted } from './support/made-up-runner.js';
import { accept } from './support/protocol-fixture.js';
import { RecordingSink } from './support/recording-sink.js';
import { RecordedTelemetry } from './support/recorded-telemetry.js';
import { StatefulWire } from './wire/stateful-wire.js';
import { StatelessWire } from './wire/stateless-wire.js';

let server: McpServer;
let sink: RecordingSink;
/** What the tools have done. */
let acts: string[];
/** The codes of inner calls that failed, and whether their tools had begun. */
let failures: [string | undefined, boolean][];
/** Opens the gates at which tools wait. */
let open: (name: string) => void;
afterEach(() => server.close(0));

const word = { type: 'object', properties: { word: { type: 'string' } } };
const ASKS = { elicitation: { form: {} } };
const CONFIRMED = { action: 'accept', content: { confirm: true, confirmed: true } };

async function start(
  options: Partial<ServerOptions> = {},
  more: readonly ToolDefinition[] = [],
): Promise<void> {
  sink = new RecordingSink();
  acts = [];
  failures = [];
  const gates = new Map<string, () => void>();
  open = (name) => gates.get(name)!();
  server = await boot({ services: [], audit: sink, ...options });
  await addRunner(server, { failures });
  server.tools.add([
    {
      name: 'echo',
      description: 'Echoes.',
      annotations: { readOnlyHint: true },
      inputSchema: word,
      handler: ({ word: said }) => `said ${String(said)}`,
    },
    {
      name: 'erase',
      description: 'Erases.',
      annotations: { destructiveHint: true },
      policies: [Confirm.entry()],
      inputSchema: word,
      async handler({ word: what }, ctx) {
        const key = await ctx.once('erase', ({ idempotencyKey }) => idempotencyKey);
        acts.push(`erased ${String(what)} ${key}`);
        return `erased ${String(what)}`;
      },
    },
    {
      name: 'wait',
      description: 'Waits.',
      inputSchema: word,
      handler: ({ word: gate }, { signal }) =>
        new Promise((resolve, reject) => {
          gates.set(String(gate), () => resolve(`through ${String(gate)}`));
          signal.addEventListener('abort', () => {
            acts.push(`stopped ${String(gate)}`);
            reject(signal.reason as Error);
          });
        }),
    },
    ...more,
  ]);
}

const endsOf = ({ result }: { result?: any }): Ended => JSON.parse(result.content[0].text) as Ended;
const ann = (capabilities: object = {}, scopes: string[] = []) =>
  StatelessWire.of(server, 'ann', capabilities, scopes);
const runAll = async (wanted: readonly Wanted[], wire = ann()): Promise<Ended> =>
  endsOf(await wire.call('run_all', { wanted: [...wanted] }));
const recorded = () => sink.records.map(({ event }) => event);

test('inner calls run at the same time, each with its own guards and its own record with the parent', async () => {
  await start();
  const ends = await runAll([
    { name: 'echo', args: { word: 'a' } },
    { name: 'echo', args: { word: 7 } },
    { name: 'echo', args: { word: 'b' } },
  ]);
  expect(ends).toEqual(['said a', expect.stringContaining('word: expected a string'), 'said b']);
  const outer = recorded().find(({ name }) => name === 'run_all')!;
  const inner = recorded().filter(({ name }) => name === 'echo');
  expect(inner.map(({ outcome }) => outcome).sort()).toEqual(['invalid', 'ok', 'ok']);
  expect(inner.map(({ parent }) => parent)).toEqual([outer.callId, outer.callId, outer.callId]);
  expect(new Set(inner.map(({ callId }) => callId)).size).toBe(3);
  expect(outer.parent).toBeUndefined();
});

test('a tool that does not exist and a hidden one are alike; versions are found, and missing scopes are named', async () => {
  await start({ authorize: (_principal, { name }) => name !== 'secret', lockedTools: 'listed' }, [
    { name: 'secret', description: 'Is hidden.', handler: () => 'x' },
    { name: 'find', version: '1', description: 'Finds.', handler: () => 'one' },
    { name: 'find', version: '2', description: 'Finds.', handler: () => 'two' },
    { name: 'pay', description: 'Pays.', policies: [RequireScopes.entry('pay')], handler: () => 'paid' },
  ]);
  const wanted = ['secret', 'no_such', 'find', 'find.v1', 'pay'].map((name) => ({ name }));
  expect(await runAll(wanted)).toEqual(['unknown', 'unknown', 'two', 'one', expect.stringContaining('pay')]);
  expect((await runAll(wanted, ann({}, ['pay']))).at(-1)).toBe('paid');
  expect(recorded().find(({ name }) => name === 'pay')).toMatchObject({
    outcome: 'denied',
    reason: 'TW_INSUFFICIENT_SCOPE',
  });
});

describe('two confirmations inside of one call', () => {
  const wanted = [
    { name: 'erase', args: { word: 'a' } },
    { name: 'echo', args: { word: 'b' } },
    { name: 'erase', args: { word: 'c' } },
  ];

  test('need two answers in one round, and no inner call is charged or recorded twice', async () => {
    await start({ rateLimit: { points: 12, per: '1m' } });
    const wire = ann(ASKS);
    const first = (await wire.call('run_all', { wanted })).result;
    expect(first.resultType).toBe('input_required');
    const keys = Object.keys(first.inputRequests);
    expect(keys).toHaveLength(2);
    expect(keys.map((key) => key.split('/')[0])).toEqual(['call.1', 'call.3']);
    expect(acts).toEqual([]);
    const one = { [keys[0]!]: CONFIRMED };
    const second = (
      await wire.call('run_all', { wanted }, { requestState: first.requestState, inputResponses: one })
    ).result;
    expect(Object.keys(second.inputRequests)).toEqual([keys[1]]);
    const other = { [keys[1]!]: CONFIRMED };
    const last = await wire.call(
      'run_all',
      { wanted },
      { requestState: second.requestState, inputResponses: other },
    );
    expect(endsOf(last)).toEqual(['erased a', 'said b', 'erased c']);
    const erasures = recorded().filter(({ name }) => name === 'erase');
    expect(new Set(erasures.map(({ callId }) => callId)).size).toBe(2);
    expect(erasures.filter(({ event }) => event === 'intent')).toHaveLength(2);
    const outer = new Set(recorded().flatMap(({ name, callId }) => (name === 'run_all' ? callId : [])));
    expect(new Set(erasures.map(({ parent }) => parent))).toEqual(outer);
    expect(outer.size).toBe(1);
  });

  test('are asked by two requests on older revisions', async () => {
    await start();
    const wire = new StatefulWire(server, { capabilities: { elicitation: {} }, subject: 'ann' });
    const answer = wire.call('run_all', { wanted });
    const asked = new Set<string>();
    for (const action of ['accept', 'decline']) {
      const { id } = await wire.inbox.find(
        (message) => message.method === 'elicitation/create' && !asked.has(message.id as string),
      );
      asked.add(id as string);
      wire.answer(id as string, { result: action === 'accept' ? CONFIRMED : { action } });
    }
    const ends = endsOf(await answer);
    expect(ends.filter((end) => end.startsWith('erased'))).toHaveLength(1);
    expect(ends[1]).toBe('said b');
    wire.close();
  });

  test('share no step and no key of a step', async () => {
    await start({}, [
      {
        name: 'step',
        description: 'Does a step.',
        handler: (_args, ctx) => ctx.once('step', ({ idempotencyKey }) => idempotencyKey),
      },
    ]);
    const [one, other] = await runAll([{ name: 'step' }, { name: 'step' }]);
    expect(one).not.toBe(other);
  });
});

test('an inner call pays by itself', async () => {
  await start({}, [
    {
      name: 'costly',
      description: 'Costs.',
      policies: [RateLimit.entry({ points: 2, per: '1m', cost: 1 })],
      handler: () => 'ok',
    },
  ]);
  const ends = await runAll([{ name: 'costly' }, { name: 'costly' }, { name: 'costly' }]);
  expect(ends).toEqual(['ok', 'ok', expect.stringContaining('Rate limited')]);
});

test('a call holds no slot while its inner calls run', async () => {
  await start({ concurrency: { perPrincipal: 1, total: 1, queue: 10 } });
  const wanted = [{ name: 'echo', args: { word: 'a' } }];
  const all = await Promise.all(Array.from({ length: 5 }, () => runAll(wanted)));
  expect(all).toEqual(Array.from({ length: 5 }, () => ['said a']));
});

test('whoever cancels a call cancels its inner calls', async () => {
  await start();
  const { giveUp, answer } = ann().open('tools/call', {
    params: { name: 'run_all', arguments: { wanted: [{ name: 'wait', args: { word: 'a' } }] } },
  });
  await settled();
  giveUp();
  expect(await answer).toBeUndefined();
  await settled();
  expect(acts).toEqual(['stopped a']);
  expect(recorded().find(({ name }) => name === 'wait')).toMatchObject({ outcome: 'cancelled' });
});

test('a server that stops waits for inner calls, and counts each by itself', async () => {
  await start();
  const answer = runAll([{ name: 'wait', args: { word: 'a' } }]);
  await settled();
  expect(server.protocol.load.requests).toBe(2);
  const drained = server.drain('30s');
  open('a');
  expect(await answer).toEqual(['through a']);
  expect(await drained).toBe(true);
});

test('a tool with tasks is awaited to its end, and budgets for models cut nothing', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => `row ${index}`);
  await start({}, [
    { name: 'job', description: 'Works.', task: 'required', handler: () => 'done' },
    {
      name: 'rows',
      description: 'Rows.',
      annotations: { readOnlyHint: true },
      policies: [MaxOutput.entry({ bytes: 100 })],
      handler: () => JSON.stringify(rows),
    },
  ]);
  const [job, all] = await runAll([{ name: 'job' }, { name: 'rows' }]);
  expect(job).toBe('done');
  expect(JSON.parse(all!)).toEqual(rows);
});

test('an error of an inner tool is its result, and no internal text gets out', async () => {
  await start({}, [
    { name: 'refuse', description: 'Refuses.', handler: () => Promise.reject(new ToolError('Not today.')) },
    { name: 'fail', description: 'Fails.', handler: () => Promise.reject(new Error('secret text')) },
  ]);
  const [refused, failed] = await runAll([{ name: 'refuse' }, { name: 'fail' }]);
  expect(refused).toBe('Not today.');
  expect(failed).not.toContain('secret text');
  expect(failures).toEqual(
    expect.arrayContaining([
      ['TW_TOOL_ERROR', true],
      ['TW_INTERNAL', true],
    ]),
  );
});

test('an inner call that is an error of the protocol says why by its code, too', async () => {
  await start({ lockedTools: 'listed' }, [
    {
      name: 'break',
      description: 'Breaks.',
      handler: () => Promise.reject(new ProtocolError(-32_050, 'No.')),
    },
    { name: 'locked', description: 'Locked.', policies: [RequireScopes.entry('admin')], handler: () => 'in' },
  ]);
  await runAll([{ name: 'break' }]);
  await runAll([{ name: 'locked' }]);
  expect(failures).toEqual([
    ['TW_PROTOCOL_ERROR', true],
    ['TW_INSUFFICIENT_SCOPE', false],
  ]);
});

test('listeners to calls see inner calls with the number of the call around them, and nothing sensitive', async () => {
  await start({}, [
    {
      name: 'login',
      description: 'Logs in.',
      inputSchema: { type: 'object', properties: { password: { type: 'string', writeOnly: true } } },
      handler: () => 'in',
    },
  ]);
  const traces: CallTrace[] = [];
  server.on('call', (call) => traces.push(call));
  await runAll([{ name: 'login', args: { password: 'canary' } }, { name: 'echo' }]);
  const outer = traces.find(({ name }) => name === 'run_all')!;
  const inner = traces.filter(({ name, state }) => name !== 'run_all' && state === 'ended');
  expect(inner.map(({ parent }) => parent)).toEqual([outer.number, outer.number]);
  expect(inner.find(({ name }) => name === 'login')!.arguments).toEqual({ password: '[sensitive]' });
});

test('each inner call has a span of its own tool inside of that of the call around it', async () => {
  const telemetry = new RecordedTelemetry();
  try {
    await start();
    await runAll([
      { name: 'echo', args: { word: 'a' } },
      { name: 'echo', args: { word: 7 } },
    ]);
    const finished = telemetry.finished();
    const outer = finished.find(({ name }) => name === 'tools/call run_all')!;
    const inner = finished.filter(({ name }) => name === 'tools/call echo');
    expect(inner.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual([
      outer.spanContext().spanId,
      outer.spanContext().spanId,
    ]);
    expect(inner.map(({ attributes }) => attributes['error.type'])).toEqual([undefined, 'tool_error']);
  } finally {
    await telemetry.stop();
  }
});

test('an answer that a client has given counts for its own inner call alone', async () => {
  await start({}, [
    {
      name: 'ask',
      description: 'Asks.',
      handler: async (_args, ctx) => {
        const schema = { type: 'object', properties: { name: { type: 'string' } } };
        const { content } = await ctx.elicit<{ name: string }>('name', { message: 'Name?', schema } as never);
        return content!.name;
      },
    },
  ]);
  const wire = ann(ASKS);
  const wanted = [
    { name: 'ask', key: 'one' },
    { name: 'ask', key: 'one/two' },
  ];
  const first = (await wire.call('run_all', { wanted })).result;
  const [one, two] = Object.keys(first.inputRequests);
  const inputResponses = { [one!]: accept('Ada'), [two!]: accept('Bob') };
  const last = await wire.call('run_all', { wanted }, { requestState: first.requestState, inputResponses });
  expect([one, two, ...endsOf(last)]).toEqual(['call.one/name', 'call.one%2Ftwo/name', 'Ada', 'Bob']);
});
