import type { ToolContext } from '@toolwright/core';
import { MemoryClaimStore, systemClock } from '@toolwright/core/ports';
import {
  accept,
  asked,
  close,
  createProtocolFixture,
  type ProtocolFixture,
} from '../support/protocol-fixture.js';
import { StatelessWire } from '../wire/stateless-wire.js';

type Json = Record<string, unknown>;

let fixture: ProtocolFixture;
beforeEach(async () => (fixture = await createProtocolFixture()));
afterEach(() => close(fixture));

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
const wire = (subject = 'ada') => StatelessWire.of(fixture.server, subject, capabilities);
const call = (tool: string, args: Json = {}, params: Json = {}) => wire().call(tool, args, params);
const stateOf = async (tool: string, args: Json = {}) =>
  (await call(tool, args)).result.requestState as string;
const answered = async (tool: string, inputResponses: unknown) =>
  call(tool, {}, { requestState: await stateOf(tool), inputResponses });

const isRefused = { error: { code: -32602, data: { reason: 'invalid_request_state' } } };

test('a question has a key, and its answer completes the call', async () => {
  const { result } = await call('ask');
  // Neither an id nor content nor hints for caches.
  expect(result).toEqual({
    resultType: 'input_required',
    inputRequests: {
      who: {
        method: 'elicitation/create',
        params: { message: 'who?', requestedSchema: expect.objectContaining({ type: 'object' }) },
      },
    },
    requestState: expect.any(String),
    _meta: expect.anything(),
  });
  const { requestState } = result;
  const last = await call('ask', {}, { requestState, inputResponses: { who: accept('Ada'), extra: 1 } });
  expect(last.result).toMatchObject({ resultType: 'complete', content: [{ text: 'Hello, Ada!' }] });
});

test.each([
  ['another key', { other: accept('Ada') }],
  ['content that does not fit', { who: accept(5) }],
  ['no content', { who: { action: 'accept' } }],
  ['an unknown action', { who: { action: 'maybe' } }],
  ['null', { who: null }],
])('%s is asked again', async (_what, inputResponses) => {
  expect((await answered('ask', inputResponses)).result.resultType).toBe('input_required');
});

test.each([null, 5, [], 'x'])('inputResponses %j are refused', async (inputResponses) => {
  expect((await call('ask', {}, { inputResponses })).error?.code).toBe(-32602);
});

test.each([{ action: 'decline' }, { action: 'cancel' }])('%j reaches the tool', async (answer) => {
  expect((await answered('ask', { who: answer })).result.content[0].text).toBe(answer.action);
});

test('rounds follow each other, and earlier answers and effects are kept', async () => {
  const args = { topic: 'x' };
  const requestState = await stateOf('interview', args);
  const second = await call('interview', args, { requestState, inputResponses: { first: accept('Ada') } });
  expect(Object.keys(second.result.inputRequests)).toEqual(['second']);
  const last = await call('interview', args, {
    requestState: second.result.requestState,
    inputResponses: { second: accept('Bob') },
  });
  expect(last.result.content[0].text).toBe('Ada Bob');
  expect(fixture.acts).toEqual(['x']);
});

test('a state is bound to its tool, its arguments and its principal, and cannot be invented', async () => {
  const requestState = await stateOf('ask');
  const params = { requestState, inputResponses: { who: accept('Ada') } };
  expect(await call('interview', {}, params)).toMatchObject(isRefused);
  expect(await call('ask', { more: 1 }, params)).toMatchObject(isRefused);
  expect(await wire('eve').call('ask', {}, params)).toMatchObject(isRefused);
  // The first character is random, and each other one is no longer the state.
  const other = `${requestState.startsWith('x') ? 'y' : 'x'}${requestState.slice(1)}`;
  for (const changed of [`${requestState}x`, other, requestState.slice(0, 20), '', 5])
    expect(await call('ask', {}, { ...params, requestState: changed })).toMatchObject(isRefused);
});

test('a changed state is refused, whichever character was changed', async () => {
  const requestState = await stateOf('ask');
  const inputResponses = { who: accept('Ada') };
  for (let at = 0; at < requestState.length; at++) {
    const other = requestState[at] === 'A' ? 'B' : 'A';
    const changed = requestState.slice(0, at) + other + requestState.slice(at + 1);
    expect(await call('ask', {}, { requestState: changed, inputResponses })).toMatchObject(isRefused);
  }
});

test('the order of the arguments does not matter to a state', async () => {
  fixture.server.tools.add({
    ...{ name: 'order', description: 'Asks.' },
    inputSchema: { type: 'object', properties: { one: { type: 'object' }, two: { type: 'integer' } } },
    handler: async (_args, context) => (await asked('who')(context)).action,
  });
  const requestState = await stateOf('order', { one: { x: 1, y: 2 }, two: 3 });
  const params = { requestState, inputResponses: { who: accept('Ada') } };
  const { result } = await call('order', { two: 3, one: { y: 2, x: 1 } }, params);
  expect(result.content[0].text).toBe('accept');
});

test('a round that only asks again sends another state, and ends the one before', async () => {
  const first = await stateOf('ask');
  const again = await call('ask', {}, { requestState: first, inputResponses: {} });
  const inputResponses = { who: accept('Ada') };
  expect(await call('ask', {}, { requestState: first, inputResponses })).toMatchObject(isRefused);
  const { requestState } = again.result;
  const { result } = await call('ask', {}, { requestState, inputResponses });
  expect(result.content[0].text).toBe('Hello, Ada!');
});

test('lists never ask', async () => {
  const { result } = await wire().request('tools/list', { inputResponses: {}, requestState: 'x' });
  expect(result.resultType).toBe('complete');
});

test('a state works once, even if many requests bring it at the same time', async () => {
  const requestState = await stateOf('interview', { topic: 'a' });
  const params = { requestState, inputResponses: { first: accept('Ada') } };
  const answers = await Promise.all([1, 2].map(() => call('interview', { topic: 'a' }, params)));
  expect(answers.filter(({ error }) => error)).toHaveLength(1);
  expect(await call('interview', { topic: 'a' }, params)).toMatchObject(isRefused);
  expect(fixture.acts).toEqual(['a']);
});

test('a state expires', async () => {
  const requestState = await stateOf('ask');
  await fixture.clock.advance(600_001);
  const params = { requestState, inputResponses: { who: accept('Ada') } };
  expect(await call('ask', {}, params)).toMatchObject(isRefused);
});

test('secrets can be rotated: the first one seals, all of them open', async () => {
  const [older, newer] = ['o'.repeat(32), 'n'.repeat(32)];
  const fixtures = await Promise.all(
    [[older], [newer, older], [newer]].map((secrets) => createProtocolFixture({ secrets })),
  );
  const [first, both, last] = fixtures.map(({ server }) => StatelessWire.of(server, 'ada', capabilities));
  const { requestState } = (await first!.call('ask')).result;
  const params = { requestState, inputResponses: { who: accept('Ada') } };
  expect(await last!.call('ask', {}, params)).toMatchObject(isRefused);
  expect((await both!.call('ask', {}, params)).result.resultType).toBe('complete');
  await Promise.all(fixtures.map(close));
});

test.each([
  ['ask', {}, { elicitation: { form: {} } }],
  ['ask', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  ['open_page', { elicitation: {} }, { elicitation: { url: {} } }],
  ['sample', { elicitation: {} }, { sampling: {} }],
  ['roots', {}, { roots: {} }],
])('%s is refused for a client that declares %j', async (tool, declared, requiredCapabilities) => {
  const { error } = await StatelessWire.of(fixture.server, 'ada', declared).call(tool);
  expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
});

test('questions to the model, for a page and for roots work in the same way', async () => {
  const message = { role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'm' };
  expect((await answered('sample', { model: message })).result.content[0].text).toContain('Hi');
  expect((await answered('open_page', { page: { action: 'accept' } })).result.content[0].text).toBe('accept');
  const [key] = Object.keys((await call('roots')).result.inputRequests);
  const given = await answered('roots', { [key!]: { roots: [{ uri: 'file:///a' }] } });
  expect(given.result.content[0].text).toBe('file:///a');
  const foreign = await answered('roots', { [key!]: { roots: [{ uri: 'https://a' }] } });
  expect(foreign.result.resultType).toBe('input_required');
});

describe('During a deployment, a state of the other release', () => {
  const options = { secrets: ['s'.repeat(32)], stores: { claims: new MemoryClaimStore(systemClock) } };
  /** Asks one process, and brings the answer to another. */
  async function acrossReleases(description: string) {
    const [old, fresh] = [await createProtocolFixture(options), await createProtocolFixture(options)];
    fresh.server.tools.remove('ask');
    fresh.server.tools.add({
      ...{ name: 'ask', description },
      handler: async (_args, context) => (await asked('who')(context)).action,
    });
    const at = ({ server }: ProtocolFixture) => StatelessWire.of(server, 'ada', capabilities);
    const { requestState } = (await at(old).call('ask')).result;
    const answer = await at(fresh).call('ask', {}, { requestState, inputResponses: { who: accept('Ada') } });
    await Promise.all([close(old), close(fresh)]);
    return answer;
  }

  test('is served where the operation is the same', async () => {
    expect((await acrossReleases('ask')).result.content[0].text).toBe('accept');
  });

  test('is refused where the operation has changed', async () => {
    expect(await acrossReleases('Asks something else.')).toMatchObject(isRefused);
  });

  test('is good for each name of its version, and not for a version that has taken its bare name', async () => {
    const version = (number: string) => ({
      ...{ name: 'choose', description: 'Chooses.', version: number },
      handler: async (_args: unknown, context: ToolContext) => {
        const { content } = await asked('who')(context);
        return `${String(content?.name)} by version ${number}`;
      },
    });
    const [old, fresh] = [await createProtocolFixture(options), await createProtocolFixture(options)];
    old.server.tools.add(version('1'));
    fresh.server.tools.add([version('1'), version('2')]);
    const at = ({ server }: ProtocolFixture) => StatelessWire.of(server, 'ada', capabilities);
    const answerAs = async (name: string) => {
      const { requestState } = (await at(old).call('choose')).result;
      return at(fresh).call(name, {}, { requestState, inputResponses: { who: accept('Ada') } });
    };
    expect(await answerAs('choose')).toMatchObject(isRefused);
    expect(await answerAs('choose.v2')).toMatchObject(isRefused);
    expect((await answerAs('choose.v1')).result.content[0].text).toBe('Ada by version 1');
    await Promise.all([close(old), close(fresh)]);
  });
});
