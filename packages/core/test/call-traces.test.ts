import { Cache, Concurrency, RateLimit, ToolError, type McpServer } from '@toolwright/core';
import type { CallTrace } from '@toolwright/core/operate';
import { boot } from './support/booting.js';
import { FakeClock, settled } from './support/fake-clock.js';
import { Gates } from './support/gates.js';
import { RecordingLogger } from './support/recording-logger.js';
import { StatelessWire } from './wire/stateless-wire.js';

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const secret = {
  type: 'object',
  properties: { token: { type: 'string', writeOnly: true }, note: { type: 'string' } },
};

describe('traces of calls', () => {
  let server: McpServer;
  let wire: StatelessWire;
  const gates = new Gates();
  const logger = new RecordingLogger();
  const traces: CallTrace[] = [];

  beforeEach(async () => {
    traces.length = 0;
    server = await boot({ services: [], ports: { clock: new FakeClock() }, logger });
    server.tools.add({
      name: 'say',
      description: 'Says it.',
      inputSchema: text,
      annotations: { readOnlyHint: true },
      policies: [RateLimit.entry({ points: 3, per: '1h' }), Cache.entry({ ttl: '1m' })],
      handler: (args) => String(args['text']),
    });
    server.tools.add({
      name: 'hold',
      description: 'Holds.',
      inputSchema: text,
      policies: [Concurrency.entry({ max: 1 })],
      handler: async (args, { signal }) => gates.wait(String(args['text']), signal).then(() => 'done'),
    });
    server.tools.add({
      name: 'fail',
      description: 'Fails.',
      handler: () => {
        throw new ToolError('Not today.', { code: 'APP_NOT_TODAY' });
      },
    });
    server.tools.add({ name: 'hide', description: 'Hides.', inputSchema: secret, handler: () => 'ok' });
    server.tools.add({
      name: 'ask',
      description: 'Asks.',
      handler: async (_args, context) => {
        const schema = { type: 'object', properties: {} };
        return (await context.elicit('sure', { message: 'Sure?', schema })).action;
      },
    });
    wire = StatelessWire.of(server, 'ann', { elicitation: { form: {} } });
  });

  afterEach(() => server.close(0));

  const listen = () => server.on('call', (trace) => traces.push(trace));
  const verdicts = ({ steps }: CallTrace) =>
    Object.fromEntries(steps.map(({ name, verdict }) => [name, verdict]));

  test('a call is told when it begins, and with each step when it has ended', async () => {
    listen();
    await wire.call('say', { text: 'hi' });
    expect(traces.map(({ state, number, steps }) => [state, number, steps.length > 0])).toEqual([
      ['running', 1, false],
      ['ended', 1, true],
    ]);
    const [, ended] = traces;
    expect(ended).toMatchObject({
      kind: 'tool',
      name: 'say',
      arguments: { text: 'hi' },
      principal: { subject: 'ann' },
      revision: '2026-07-28',
      transport: 'memory',
      outcome: 'ok',
    });
    const { method, ...guards } = verdicts(ended!);
    expect(method).toBe('answered');
    expect(new Set(Object.values(guards))).toEqual(new Set(['passed']));
    const planned = server.tools
      .list()
      .find(({ name }) => name === 'say')!
      .plan!.map(({ name, detail }) => [name, detail]);
    expect(ended!.steps.map(({ name, detail }) => [name, detail])).toEqual([
      ...planned,
      ['method', undefined],
    ]);
    const own = ended!.steps.reduce((sum, { ownMs }) => sum + ownMs, 0);
    expect(own).toBeLessThanOrEqual(ended!.durationMs);
    const begins = ended!.steps.map(({ beganMs }) => beganMs);
    expect(begins).toEqual([...begins].sort((one, other) => one - other));
  });

  test('a step that answers or refuses is the last one', async () => {
    listen();
    for (let asked = 0; asked < 2; asked++) await wire.call('say', { text: 'hi' });
    const cached = traces.at(-1)!;
    expect(cached.steps.at(-1)).toMatchObject({ verdict: 'answered' });
    expect(cached.steps.at(-1)!.name).not.toBe('method');
    await wire.call('say', { text: 5 });
    expect(traces.at(-1)).toMatchObject({ outcome: 'invalid' });
    expect(traces.at(-1)!.steps.at(-1)).toMatchObject({ name: 'validate', verdict: 'refused' });
    await wire.call('say', { text: 'hi' });
    expect(traces.at(-1)).toMatchObject({ outcome: 'limited', reason: 'TW_RATE_LIMITED' });
    expect(traces.at(-1)!.steps.at(-1)).toMatchObject({ name: 'rate limit', verdict: 'refused' });
    await wire.call('fail');
    expect(traces.at(-1)).toMatchObject({ outcome: 'error' });
    expect(traces.at(-1)!.steps.at(-1)).toMatchObject({ name: 'method', verdict: 'failed' });
  });

  test('a call that asks says so', async () => {
    listen();
    await wire.call('ask');
    expect(traces.at(-1)).toMatchObject({ state: 'ended', outcome: 'asking' });
  });

  test('a call that waits for its slot has not reached its method', async () => {
    listen();
    const first = wire.call('hold', { text: 'first' });
    const second = wire.call('hold', { text: 'second' });
    await settled();
    expect(traces.filter(({ state }) => state === 'running')).toHaveLength(2);
    gates.open('first');
    gates.open('second');
    await Promise.all([first, second]);
    expect(traces.filter(({ state }) => state === 'ended').map(verdicts)).toMatchObject([
      { method: 'answered' },
      { method: 'answered' },
    ]);
  });

  test('what is sensitive is hidden', async () => {
    listen();
    await wire.call('hide', { token: 'abcdef', note: 'n' });
    expect(JSON.stringify(traces)).not.toContain('abcdef');
    expect(traces[1]!.arguments).toEqual({ token: '[sensitive]', note: 'n' });
  });

  test('what nobody declared is hidden, at every tool of a server with a sensitive part', async () => {
    listen();
    await wire.call('hide', { tokn: 'abcdef', note: 'n' });
    await wire.call('say', { text: 'hi', token: 'abcdef' });
    expect(JSON.stringify(traces)).not.toContain('abcdef');
    expect(traces.at(-1)!.arguments).toEqual({ text: 'hi', token: '[sensitive]' });
  });

  test('a listener that fails disturbs nobody, and one that was removed hears nothing', async () => {
    server.on('call', () => {
      throw new Error('listener');
    });
    const stop = listen();
    expect((await wire.call('say', { text: 'hi' })).result.content[0].text).toBe('hi');
    expect(traces).toHaveLength(2);
    expect(logger.lines.map(({ message }) => message)).toContain('A listener to calls failed');
    stop();
    await wire.call('say', { text: 'ho' });
    expect(traces).toHaveLength(2);
  });
});
