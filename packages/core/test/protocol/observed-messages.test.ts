import type { McpServer } from '@toolwright/core';
import type { ObservedMessage } from '@toolwright/core/operate';
import { boot } from '../support/booting.js';
import { FakeClock } from '../support/fake-clock.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink, SessionWire } from '../wire/session-wire.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const secret = { type: 'object', properties: { token: { type: 'string', writeOnly: true } } };
const form = { type: 'object', properties: { name: { type: 'string' } } };

describe('observed messages', () => {
  let server: McpServer;
  const logger = new RecordingLogger();
  const observed: ObservedMessage[] = [];

  beforeEach(async () => {
    observed.length = 0;
    server = await boot({ services: [], ports: { clock: new FakeClock() }, logger });
    server.tools.add({
      name: 'talk',
      description: 'Talks.',
      handler: (_args, context) => {
        context.log.info('working');
        return 'said';
      },
    });
    server.tools.add({
      name: 'ask',
      description: 'Asks.',
      handler: async (_args, context) =>
        (await context.elicit('name', { message: 'Name?', schema: form })).action,
    });
    server.tools.add({
      name: 'keep',
      description: 'Keeps it.',
      inputSchema: secret,
      handler: ({ token }) => `kept ${String(token)}`,
    });
    server.prompts.add({
      name: 'greet',
      arguments: [{ name: 'who' }],
      handler: ({ who }) => `Greet ${String(who)}.`,
    });
    server.resources.add({
      name: 'notice',
      uri: 'test://notice',
      description: 'A notice.',
      handler: () => 'x',
    });
    server.on('message', (message) => observed.push(message));
  });

  afterEach(() => server.close(0));

  /** Who said what, in short. */
  const said = () =>
    observed.map(({ direction, message }) => {
      const { method, id, result, error } = message as Record<string, unknown>;
      return `${direction} ${String(method ?? (result ? 'result' : error ? 'error' : '?'))} ${String(id ?? '')}`.trim();
    });

  test('a stateless request, what is sent for it, and its answer share a channel', async () => {
    const wire = StatelessWire.of(server, 'ann');
    const meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    await wire.request('tools/call', { name: 'talk' }, { meta });
    await wire.call('talk');
    expect(said()).toEqual([
      'received tools/call 1',
      'sent notifications/message',
      'sent result 1',
      'received tools/call 2',
      'sent result 2',
    ]);
    const channels = observed.map(({ channel }) => channel);
    expect(new Set(channels.slice(0, 3)).size).toBe(1);
    expect(channels[3]).not.toBe(channels[0]);
    expect(observed.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    expect(observed[0]).toMatchObject({ transport: 'memory', principal: { subject: 'ann' } });
  });

  test('what is refused is told with its answer', async () => {
    const wire = new StatelessWire(server);
    await wire.request('tools/call', { headers: { 'mcp-method': 'tools/list' }, params: { name: 'talk' } });
    await wire.request('no/such');
    expect(said()).toEqual(['received tools/call 1', 'sent error 1', 'received no/such 2', 'sent error 2']);
  });

  test('a session has one channel: handshake, requests, questions, answers and changes', async () => {
    const wire = new SessionWire(server, { capabilities: { elicitation: {} }, subject: 'bob' });
    const sink = new RecordingSink();
    wire.opened.session!.streams.listen(sink);
    server.tools.remove('keep');
    await sink.inbox.find(({ method }) => method === 'notifications/tools/list_changed');
    expect(said()).toEqual([
      'received initialize 1',
      'sent result 1',
      'received notifications/initialized',
      'sent notifications/tools/list_changed',
    ]);
    expect(new Set(observed.map(({ channel }) => channel)).size).toBe(1);
    expect(observed[0]!.channel).not.toContain(wire.opened.session!.id);
    expect(observed.at(-1)).toMatchObject({
      client: { name: 'test', version: '1' },
      principal: { subject: 'bob' },
    });
  });

  test('a connection has one channel, and nothing is told twice', async () => {
    const wire = new StatefulWire(server, { capabilities: { elicitation: {} } });
    const call = wire.call('ask');
    const { id } = await wire.question('elicitation/create');
    wire.answer(id, { result: { action: 'decline' } });
    await call;
    server.tools.remove('keep');
    await wire.inbox.find(({ method }) => method === 'notifications/tools/list_changed');
    expect(said()).toEqual([
      'received initialize 1',
      'sent result 1',
      'received notifications/initialized',
      'received tools/call 1000',
      `sent elicitation/create ${id}`,
      `received result ${id}`,
      'sent result 1000',
      'sent notifications/tools/list_changed',
    ]);
    expect(new Set(observed.map(({ channel }) => channel)).size).toBe(1);
    wire.close();
  });

  test('what is sensitive is hidden, in requests and in the answers that repeat it', async () => {
    await new StatelessWire(server).call('keep', { token: 'abcdef' });
    const wire = new StatefulWire(server);
    await wire.call('keep', { token: 'abcdef' });
    expect(JSON.stringify(observed)).not.toContain('abcdef');
    expect(observed[1]!.message).toMatchObject({ result: { content: '[sensitive]' } });
    wire.close();
  });

  describe('what belongs to no known place is hidden, as the server has a sensitive part', () => {
    const canary = 'canary-7f3a';
    const send = (method: string, params: object) =>
      new StatelessWire(server).request(method, params as Record<string, unknown>);

    test.each([
      ['an argument beside the declared ones', 'tools/call', { name: 'keep', arguments: { tokn: canary } }],
      ['an argument of another tool', 'tools/call', { name: 'talk', arguments: { token: canary } }],
      [
        'an argument inside an undeclared one',
        'tools/call',
        { name: 'keep', arguments: { a: [{ b: canary }] } },
      ],
      ['a list of arguments', 'tools/call', { name: 'talk', arguments: [canary] }],
      ['a text in place of arguments', 'tools/call', { name: 'keep', arguments: canary }],
      ['arguments of an unknown tool', 'tools/call', { name: 'kep', arguments: { token: canary } }],
      ['arguments without a tool', 'tools/call', { arguments: { token: canary } }],
      ['arguments of an unknown prompt', 'prompts/get', { name: 'keep', arguments: { token: canary } }],
      ['an unknown member', 'tools/call', { name: 'keep', args: { token: canary } }],
      ['an unknown method', 'tool/call', { name: 'keep', arguments: { token: canary } }],
      ['a method without arguments', 'tools/list', { token: canary }],
      ['an unknown resource', 'resources/read', { uri: `test://${canary}` }],
      [
        'a completion of an argument that nobody declared',
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'tokn', value: canary } },
      ],
      [
        'a completion for something unknown',
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'keep' }, argument: { name: 'token', value: canary } },
      ],
    ])('%s', async (_, method, params) => {
      await send(method, params);
      expect(observed.length).toBeGreaterThanOrEqual(2);
      expect(JSON.stringify(observed)).not.toContain(canary);
      expect(JSON.stringify(observed)).toMatch(/\[sensitive\]|test:…/);
    });

    test.each([
      ['a list of parameters', { jsonrpc: '2.0', id: 7, method: 'tools/call', params: [canary] }],
      ['a member beside those of JSON-RPC', { jsonrpc: '2.0', id: 7, method: 'ping', token: canary }],
      ['an answer to no question', { jsonrpc: '2.0', id: 7, result: { token: canary } }],
      ['a message without a method', { jsonrpc: '2.0', id: 7, params: { token: canary } }],
    ])('%s', async (_, message) => {
      const wire = new StatefulWire(server);
      wire.send(message);
      await wire.request('ping');
      expect(JSON.stringify(observed)).not.toContain(canary);
      wire.close();
    });

    test('while what is declared stays readable', async () => {
      server.tools.add({
        name: 'find',
        description: 'Finds.',
        inputSchema: {
          type: 'object',
          properties: {
            word: { type: 'string' },
            where: { type: 'object' },
            rows: { type: 'array', items: { $ref: '#/$defs/Row' } },
          },
          $defs: { Row: { type: 'object', properties: { id: { type: 'integer' } } } },
        },
        handler: () => 'found',
      });
      await send('tools/call', {
        name: 'find',
        arguments: { word: 'tea', where: { any: 'thing' }, rows: [{ id: 7, other: canary }] },
      });
      expect(observed[0]!.message).toMatchObject({
        params: {
          name: 'find',
          arguments: { word: 'tea', where: { any: 'thing' }, rows: [{ id: 7, other: '[sensitive]' }] },
        },
      });
    });

    test('but a server without a sensitive part hides nothing', async () => {
      const other = await boot({ services: [] });
      other.on('message', (message) => observed.push(message));
      await new StatelessWire(other).call('kep', { token: canary });
      expect(observed[0]!.message).toMatchObject({ params: { arguments: { token: canary } } });
      await other.close(0);
    });
  });

  test('an observer gets what the client wrote, and nothing that the server found out about it', async () => {
    await StatelessWire.of(server, 'ann').call('talk');
    expect(Object.keys(observed[0]!.message as object)).toEqual(['jsonrpc', 'id', 'method', 'params']);
  });

  test('sealed states are hidden', async () => {
    const wire = new StatelessWire(server, undefined, { elicitation: { form: {} } });
    const { result } = await wire.call('ask');
    expect(result.resultType).toBe('input_required');
    expect(JSON.stringify(observed)).not.toContain(result.requestState);
    expect(JSON.stringify(observed)).toContain('Name?');
  });

  test('a listener that fails disturbs nobody', async () => {
    server.on('message', () => {
      throw new Error('listener');
    });
    expect((await new StatelessWire(server).call('talk')).result.content[0].text).toBe('said');
    expect(observed).toHaveLength(2);
    expect(logger.lines.map(({ message }) => message)).toContain('A listener to messages failed');
  });
});
