import type { ChatError } from '../src/index.js';
import { ModelClient } from '../src/model/model-client.js';
import { WireNames } from '../src/model/write-request.js';
import { says, StubModel, type StubReply } from './support/stub-model.js';

const key = 'sk-canary-0123456789';

/** Asks once, and returns what is wrong. */
async function failure(reply: StubReply, answerMs = 60_000): Promise<ChatError> {
  const stub = await StubModel.start(reply);
  const client = new ModelClient({ url: `${stub.url}/chat/completions`, model: 'stub', key }, answerMs);
  const names = new WireNames([]);
  const error: ChatError = await client.ask({ system: undefined, messages: [], tools: [], names }).then(
    () => Promise.reject(new Error('It was answered.')),
    (reason: ChatError) => reason,
  );
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('canary');
  return error;
}

test.each([
  [
    'OpenAI',
    401,
    { error: { message: `Incorrect API key provided: ${key}.`, type: 'invalid' } },
    /\(401\): Incorrect.*‹key›\. Check TOOLWRIGHT_CHAT_KEY\.$/,
  ],
  [
    'Ollama',
    404,
    { error: { message: 'model "x" not found, try pulling it first' } },
    /not found, try pulling it first\. Check .*_MODEL/,
  ],
  ['Ollama, native', 400, { error: 'registry/x does not support tools' }, /does not support tools\.$/],
  [
    'vLLM, Mistral',
    400,
    { object: 'error', message: 'Tool call id was x but must be nine' },
    /Tool call id was x/,
  ],
  [
    'Gemini',
    400,
    [{ error: { code: 400, message: 'Function call is missing a thought_signature' } }],
    /thought_signature/,
  ],
  ['FastAPI', 404, { detail: 'Not Found' }, /Not Found/],
  ['FastAPI, a list', 422, { detail: [{ msg: 'Field required' }] }, /\(422\)/],
  [
    'OpenRouter, in an answer of 200',
    200,
    { error: { message: 'Provider returned error', code: 502, metadata: { raw: 'overloaded' } } },
    /Provider returned error: overloaded/,
  ],
  ['a limit', 429, { error: { message: 'Slow down!' } }, /Slow down! Wait, and send it again/],
])('%s: the words of a refusal are shown', async (_title, status, json, message) => {
  const error = await failure({ json, status });
  expect(error).toMatchObject({ code: 'TW_CHAT_REFUSED', message: expect.stringMatching(message) as string });
});

test('a page of a proxy is left out, and long words are cut', async () => {
  const headers = { 'content-type': 'text/html' };
  expect((await failure({ raw: '<html>Bad Gateway</html>', status: 502, headers })).message).toMatch(
    /\(502\)\.$/,
  );
  expect((await failure({ raw: 'x'.repeat(9_000), status: 500 })).message.length).toBeLessThan(800);
});

test('a redirect is not followed: the key is for one address', async () => {
  const other = await StubModel.start(says({ content: 'hello' }));
  const error = await failure({
    raw: '',
    status: 307,
    headers: { location: `${other.url}/chat/completions` },
  });
  expect(error.message).toMatch(/\(307\).*set TOOLWRIGHT_CHAT_URL to that one/);
  expect(other.requests).toEqual([]);
});

test.each([
  [
    'an empty stream',
    { raw: 'data: [DONE]\n\n', headers: { 'content-type': 'text/event-stream' } },
    /something else/,
  ],
  ['a page', { raw: '<html>' }, /something else than JSON/],
  ['a large answer', { raw: `"${'x'.repeat(4_100_000)}"` }, /more than 4000000 bytes/],
])('%s is not an answer', async (_title, reply, message) => {
  expect(await failure(reply)).toMatchObject({
    code: 'TW_CHAT_ANSWER',
    message: expect.stringMatching(message) as string,
  });
});

test('an address that does not answer, or where nobody listens', async () => {
  expect(await failure('hang', 30)).toMatchObject({
    code: 'TW_CHAT_UNREACHED',
    message: expect.stringMatching(/gave no answer in 0.03 seconds/) as string,
  });
  const names = new WireNames([]);
  const nobody = new ModelClient({ url: 'http://127.0.0.1:1/v1/chat/completions', model: 'm' });
  await expect(nobody.ask({ system: undefined, messages: [], tools: [], names })).rejects.toMatchObject({
    code: 'TW_CHAT_UNREACHED',
  });
});

test('an answer that repeats the key does not show it, and a word in its place stays', async () => {
  for (const [given, text] of [
    [key, 'My key is ‹key›.'],
    ['a"b\\c-0123456789', 'My key is ‹key›.'],
    ['content', 'My key is content.'],
  ] as const) {
    const stub = await StubModel.start(says({ content: `My key is ${given}.` }));
    const client = new ModelClient({ url: stub.url, model: 'm', key: given });
    const reply = await client.ask({ system: undefined, messages: [], tools: [], names: new WireNames([]) });
    expect(reply.text).toBe(text);
  }
});

test('a stream is read, and an error in it is a refusal', async () => {
  const headers = { 'content-type': 'text/event-stream' };
  const stub = await StubModel.start({ raw: 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n', headers });
  const client = new ModelClient({ url: stub.url, model: 'm' });
  const asked = { system: undefined, messages: [], tools: [], names: new WireNames([]) };
  expect(await client.ask(asked)).toMatchObject({ text: 'Hi', calls: [] });
  const error = await failure({ raw: 'data: {"error":{"message":"overloaded"}}\n\n', headers });
  expect(error.message).toMatch(/overloaded/);
});

test('a request that is too large is not sent', async () => {
  const stub = await StubModel.start(says({ content: 'a' }));
  const client = new ModelClient({ url: stub.url, model: 'm' });
  const messages = [{ role: 'user', content: 'x'.repeat(4_000_001) }];
  const asked = client.ask({ system: undefined, messages, tools: [], names: new WireNames([]) });
  await expect(asked).rejects.toMatchObject({ code: 'TW_CHAT_LIMIT' });
  expect(stub.requests).toEqual([]);
});

test('gpt-oss: a name with the name space of functions is the tool', () => {
  expect(new WireNames(['find', 'functions.list']).toTool('functions.find')).toBe('find');
  expect(new WireNames(['find', 'functions.list']).toTool('functions_list')).toBe('functions.list');
  expect(new WireNames(['find']).toTool('functions.lost')).toBe('functions.lost');
});

test('names that models do not take have others on the wire, each its own', () => {
  const long = 'a'.repeat(70);
  const tools = ['orders.find', 'orders/find', 'orders_find', `${long}1`, `${long}2`];
  const names = new WireNames(tools);
  const wire = tools.map((each) => names.toWire(each));
  expect(wire.slice(0, 3)).toEqual(['orders_find_2', 'orders_find_3', 'orders_find']);
  expect(new Set(wire).size).toBe(5);
  for (const each of wire) expect(each).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(wire.map((each) => names.toTool(each))).toEqual(tools);
});
