import { settled } from '../support/fake-clock.js';
import { accept, close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { SessionWire } from '../wire/session-wire.js';
import { StatefulWire, type StatefulClient } from '../wire/stateful-wire.js';

let fixture: ProtocolFixture;
beforeEach(async () => (fixture = await createProtocolFixture({ sessions: { answerTimeout: 1_000 } })));
afterEach(() => close(fixture));

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const connect = (client: StatefulClient = {}) =>
  new StatefulWire(fixture.server, { capabilities, ...client });
const text = (answer: any) => answer.result.content[0].text as string;

test.each(['2025-06-18', '2025-11-25'])('%s: a question is a request to the client', async (revision) => {
  const wire = connect({ revision });
  const called = wire.call('ask');
  const { id, params } = await wire.question('elicitation/create');
  expect([typeof id, params.message]).toEqual(['string', 'who?']);
  wire.answer('another', { result: accept('Eve') });
  wire.answer(id, { result: accept('Ada') });
  wire.answer(id, { result: accept('Eve') });
  expect(text(await called)).toBe('Hello, Ada!');
});

test.each<[string, object]>([
  ['does not fit', { result: accept(5) }],
  ['has no content', { result: { action: 'accept' } }],
  ['has an unknown action', { result: { action: 'maybe' } }],
  ['is no object', { result: 5 }],
  ['is a refusal', { error: { code: -1, message: 'User rejected' } }],
  ['is a refusal without a reason', { error: 5 }],
])('an answer that %s is an error that the model can read', async (_what, answer) => {
  const wire = connect();
  const called = wire.call('ask');
  wire.answer((await wire.question('elicitation/create')).id, answer as never);
  const { result } = await called;
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toMatch(/does not fit|User rejected|no reason given/);
});

test.each([{ action: 'decline' }, { action: 'cancel' }])('%j reaches the tool', async (result) => {
  const wire = connect();
  const called = wire.call('ask');
  wire.answer((await wire.question('elicitation/create')).id, { result });
  expect(text(await called)).toBe(result.action);
});

test('if a client does not answer in time, it is told that the question is over', async () => {
  const wire = connect();
  const called = wire.call('ask');
  const { id } = await wire.question('elicitation/create');
  await fixture.clock.advance(1_000);
  expect(text(await called)).toMatch(/did not answer in time/);
  expect(wire.said).toContainEqual({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: id },
  });
});

test('a question ends with the call that asks it', async () => {
  const wire = connect();
  wire.tell(7, 'tools/call', { name: 'ask', arguments: {} });
  const { id } = await wire.question('elicitation/create');
  wire.notify('notifications/cancelled', { requestId: 7 });
  await settled();
  expect(wire.said.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
});

test('a question carries the trace of its call, and nothing that proxies added', async () => {
  const wire = connect();
  const trace = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'a=1' };
  void wire.call('ask', {}, { ...trace, baggage: 'tenant=internal' });
  expect((await wire.question('elicitation/create')).params._meta).toEqual(trace);
});

test('questions with a URL have their own id on 2025-11-25, and do not exist on older revisions', async () => {
  const wire = connect();
  const called = wire.call('open_page');
  const { id, params } = await wire.question('elicitation/create');
  expect(params).toMatchObject({ mode: 'url', elicitationId: expect.any(String) });
  wire.answer(id, { result: { action: 'accept', content: { ignored: true } } });
  expect(text(await called)).toBe('accept');
  expect((await connect({ revision: '2025-06-18' }).call('open_page')).error.code).toBe(-32600);
});

test.each<[string, StatefulClient]>([
  ['declares nothing', { capabilities: {} }],
  ['speaks a revision without questions', { revision: '2025-03-26' }],
  ['has not said that it is ready', { initialized: false }],
])('a client that %s is not asked', async (_what, client) => {
  const { error } = await connect(client).call('ask');
  expect(error.code).toBe(-32600);
});

test('questions to the model and for roots work in the same way, and answers are checked', async () => {
  const message = { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
  const answers: [string, string, unknown, string][] = [
    ['sample', 'sampling/createMessage', message, '{"type":"text","text":"Hi"}'],
    ['sample', 'sampling/createMessage', { ...message, role: 'system' }, 'does not fit'],
    ['sample', 'sampling/createMessage', { ...message, content: 'Hi' }, 'does not fit'],
    ['sample', 'sampling/createMessage', { ...message, model: 5 }, 'does not fit'],
    ['sample', 'sampling/createMessage', { ...message, role: 'user', content: [] }, '[]'],
    ['roots', 'roots/list', { roots: [{ uri: 'file:///a' }] }, 'file:///a'],
    ['roots', 'roots/list', { roots: [{ uri: 'https://a' }] }, 'does not fit'],
    ['roots', 'roots/list', { roots: [5] }, 'does not fit'],
    ['roots', 'roots/list', { roots: [{ uri: 5 }] }, 'does not fit'],
    ['roots', 'roots/list', { roots: 5 }, 'does not fit'],
  ];
  for (const [tool, method, result, expected] of answers) {
    const wire = connect();
    const called = wire.call(tool);
    wire.answer((await wire.question(method)).id, { result });
    expect(text(await called)).toContain(expected);
    wire.close();
  }
});

test('the question of a session is sent on the stream of its call', async () => {
  const wire = new SessionWire(fixture.server, { capabilities });
  const { sink } = wire.open('tools/call', { name: 'ask', arguments: {} });
  const { id } = await sink.inbox.at(1);
  wire.hear({ id, result: accept('Ada') });
  expect(text(await sink.inbox.at(2))).toBe('Hello, Ada!');
});
