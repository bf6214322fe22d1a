import { serveHttp, type HttpService } from '../src/index.js';
import { createFixture, type Fixture } from './support/fixture.js';
import { call, modern, send, type Json } from './support/wire.js';

let fixture: Fixture;
let service: HttpService;
beforeEach(async () => {
  fixture = await createFixture();
  service = await serveHttp(fixture.server, {
    port: 0,
    signals: false,
    principal: (req) => ({ subject: String(req.headers['x-user'] ?? 'ada'), scopes: [] }),
  });
});
afterEach(() => service.close());

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const accept = (name: unknown) => ({ action: 'accept', content: { name } });

function round(tool: string, args: Json = {}, params: Json = {}, headers: Record<string, string> = {}) {
  return send(service.url, call(tool, args, { capabilities, params, headers }));
}

async function stateOf(tool: string, args: Json = {}): Promise<string> {
  return (await round(tool, args)).json.result.requestState;
}

/** Asks, and answers what was asked. */
async function answered(tool: string, inputResponses: unknown) {
  return round(tool, {}, { requestState: await stateOf(tool), inputResponses });
}

const isRefused = { error: { code: -32602, data: { reason: 'invalid_request_state' } } };

test('MR2 a question is asked by key, without id, content or cache hints', async () => {
  const { json } = await round('ask');
  expect(json.result).toEqual({
    resultType: 'input_required',
    inputRequests: {
      who: {
        method: 'elicitation/create',
        params: { message: 'Who?', requestedSchema: expect.objectContaining({ type: 'object' }) },
      },
    },
    requestState: expect.any(String),
    _meta: expect.anything(),
  });
});

test('MR6 the answer completes the call', async () => {
  const requestState = await stateOf('ask');
  const { json } = await round('ask', {}, { requestState, inputResponses: { who: accept('Ada'), extra: 1 } });
  expect(json.result).toMatchObject({ resultType: 'complete', content: [{ text: 'Hello, Ada!' }] });
});

test.each([{ action: 'decline' }, { action: 'cancel' }])('MR8 %j reaches the tool', async (answer) => {
  const { json } = await answered('ask', { who: answer });
  expect(json.result.content[0].text).toBe(answer.action);
});

test.each([
  ['another key', { other: accept('Ada') }],
  ['content that does not fit', { who: accept(5) }],
  ['no content', { who: { action: 'accept' } }],
  ['an unknown action', { who: { action: 'maybe' } }],
  ['a number', { who: 5 }],
  ['null', { who: null }],
])('MR7 %s is asked again', async (_what, inputResponses) => {
  expect((await answered('ask', inputResponses)).json.result.resultType).toBe('input_required');
});

test.each([null, 5, [], 'x'])('MR7 inputResponses %j are refused', async (inputResponses) => {
  expect((await round('ask', {}, { inputResponses })).json.error.code).toBe(-32602);
});

test('MR9 an answer under __proto__ does not count', async () => {
  const { headers, body } = call('ask', {}, { capabilities, params: { requestState: await stateOf('ask') } });
  const text = JSON.stringify(body).replace(
    '"name":"ask"',
    `"name":"ask","inputResponses":{"__proto__":{"who":${JSON.stringify(accept('Eve'))}}}`,
  );
  expect((await send(service.url, { headers, body: text })).json.result.resultType).toBe('input_required');
});

test('rounds follow each other, earlier answers and effects are kept, and each state is different', async () => {
  const args = { topic: 'x' };
  const first = await stateOf('interview', args);
  const second = await round('interview', args, {
    requestState: first,
    inputResponses: { first: accept('Ada') },
  });
  expect(Object.keys(second.json.result.inputRequests)).toEqual(['second']);
  expect(second.json.result.requestState).not.toBe(first);
  const { requestState } = second.json.result;
  const last = await round('interview', args, { requestState, inputResponses: { second: accept('Bob') } });
  expect(last.json.result.content[0].text).toBe('Ada Bob');
  expect(fixture.acts).toEqual(['x']);
});

test('MR4 a changed state is refused, whichever character was changed', async () => {
  const requestState = await stateOf('ask');
  const inputResponses = { who: accept('Ada') };
  for (let at = 0; at < requestState.length; at++) {
    const other = requestState[at] === 'A' ? 'B' : 'A';
    const changed = requestState.slice(0, at) + other + requestState.slice(at + 1);
    expect((await round('ask', {}, { requestState: changed, inputResponses })).json).toMatchObject(isRefused);
  }
  for (const changed of [`${requestState}-TAMPERED`, `${requestState}=`, `${requestState} `, '', 'x']) {
    expect((await round('ask', {}, { requestState: changed, inputResponses })).json).toMatchObject(isRefused);
  }
  expect((await round('ask', {}, { requestState: 5, inputResponses })).json).toMatchObject(isRefused);
});

test('MR5 a state is bound to its tool, its arguments and its principal', async () => {
  const requestState = await stateOf('act', { what: 'a', more: { x: 1, y: 2 } });
  const params = { requestState, inputResponses: { sure: accept('Ada') } };
  const { json: otherArguments } = await round('act', { what: 'b', more: { x: 1, y: 2 } }, params);
  expect(otherArguments).toMatchObject(isRefused);
  expect((await round('ask', { what: 'a', more: { x: 1, y: 2 } }, params)).json).toMatchObject(isRefused);
  const { json: otherUser } = await round('act', { what: 'a', more: { x: 1, y: 2 } }, params, {
    'x-user': 'eve',
  });
  expect(otherUser).toMatchObject(isRefused);
  const reordered = await round('act', { more: { y: 2, x: 1 }, what: 'a' }, params);
  expect(reordered.json.result.content[0].text).toBe('accept');
  expect(fixture.acts).toEqual(['a']);
});

test('MR5 a state works once', async () => {
  const requestState = await stateOf('act', { what: 'a' });
  const params = { requestState, inputResponses: { sure: accept('Ada') } };
  const answers = await Promise.all([
    round('act', { what: 'a' }, params),
    round('act', { what: 'a' }, params),
  ]);
  expect(answers.filter(({ json }) => json.error).length).toBe(1);
  expect((await round('act', { what: 'a' }, params)).json).toMatchObject(isRefused);
  expect(fixture.acts).toEqual(['a']);
});

test('MR5 a round that only asks again sends another state', async () => {
  const first = await stateOf('act', { what: 'a' });
  const again = await round('act', { what: 'a' }, { requestState: first, inputResponses: {} });
  const inputResponses = { sure: accept('Ada') };
  expect((await round('act', { what: 'a' }, { requestState: first, inputResponses })).json).toMatchObject(
    isRefused,
  );
  const { requestState } = again.json.result;
  const { json } = await round('act', { what: 'a' }, { requestState, inputResponses });
  expect(json.result.content[0].text).toBe('accept');
});

test('MR5 a state expires', async () => {
  let now = 0;
  const clock = { now: () => now, after: () => () => undefined };
  const own = await createFixture({ clock, timeout: false });
  const late = await serveHttp(own.server, { port: 0, signals: false });
  const ask = (params: Json = {}) => send(late.url, call('ask', {}, { capabilities, params }));
  const { requestState } = (await ask()).json.result;
  now = 600_001;
  expect((await ask({ requestState, inputResponses: { who: accept('Ada') } })).json).toMatchObject(isRefused);
  await late.close();
});

test('secrets can be rotated: the first one seals, all of them open', async () => {
  const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)];
  const urls = await Promise.all(
    [[older], [newer, older], [newer]].map(async (secrets) => {
      const { server } = await createFixture({ requestState: { secrets } });
      return serveHttp(server, { port: 0, signals: false });
    }),
  );
  const ask = (at: number, params: Json = {}) =>
    send(urls[at]!.url, call('ask', {}, { capabilities, params }));
  const { requestState } = (await ask(0)).json.result;
  const params = { requestState, inputResponses: { who: accept('Ada') } };
  expect((await ask(2, params)).json).toMatchObject(isRefused);
  expect((await ask(1, params)).json.result.resultType).toBe('complete');
  await Promise.all(urls.map((each) => each.close()));
});

test.each([
  ['ask', {}, { elicitation: { form: {} } }],
  ['ask', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  ['open_page', { elicitation: {} }, { elicitation: { url: {} } }],
  ['sample', { elicitation: {} }, { sampling: {} }],
  ['roots', {}, { roots: {} }],
])('MR3 %s is refused for a client that declares %j', async (tool, declared, required) => {
  const { status, json } = await send(service.url, call(tool, {}, { capabilities: declared }));
  expect(status).toBe(400);
  expect(json.error).toMatchObject({ code: -32021, data: { requiredCapabilities: required } });
});

test('questions to the model and for roots work in the same way', async () => {
  const sampled = await answered('sample', {
    model: { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' },
  });
  expect(sampled.json.result.content[0].text).toContain('Hi');
  const asked = await round('roots');
  const [key] = Object.keys(asked.json.result.inputRequests);
  expect(asked.json.result.inputRequests[key!]).toMatchObject({ method: 'roots/list' });
  const given = await answered('roots', { [key!]: { roots: [{ uri: 'file:///a' }] } });
  expect(given.json.result.content[0].text).toBe('file:///a');
  const foreign = await answered('roots', { [key!]: { roots: [{ uri: 'https://a' }] } });
  expect(foreign.json.result.resultType).toBe('input_required');
});

test('MR1 lists never ask', async () => {
  const { json } = await send(
    service.url,
    modern('tools/list', { params: { inputResponses: {}, requestState: 'x' } }),
  );
  expect(json.result.resultType).toBe('complete');
});
