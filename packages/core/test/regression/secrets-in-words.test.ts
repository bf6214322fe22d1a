import { Confirm, type McpServer } from '@toolwright/core';
import type { ToolDefinition } from '@toolwright/core/operate';
import { boot } from '../support/booting.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** It has another form in JSON, in an address and in base64. */
const SECRET = 'Quokka "7" of\nWombat';
const FORMS = ['Quokka', 'Wombat', Buffer.from('Quokka').toString('base64')];
const YES = { action: 'accept', content: { confirm: true } };

const login: ToolDefinition = {
  name: 'login',
  description: 'Log in.',
  policies: [Confirm.entry(({ pw }: { pw: string }) => `Log in with ${pw}?`)],
  inputSchema: { type: 'object', properties: { pw: { type: 'string', 'x-sensitive': true } } },
  handler({ pw }, ctx) {
    ctx.log.warning(`with ${String(pw)}`);
    ctx.progress(1, 2, `as ${String(pw)}`);
    const forms = [
      pw,
      JSON.stringify({ pw }),
      encodeURIComponent(String(pw)),
      Buffer.from(String(pw)).toString('base64'),
    ];
    throw new Error(`no login: ${forms.join(', ')}`);
  },
};

const summarise: ToolDefinition = {
  name: 'summarise',
  description: 'Summarise.',
  inputSchema: login.inputSchema!,
  async handler({ pw }, ctx) {
    const text = `Summarise ${String(pw)}`;
    await ctx.sample('summary', {
      messages: [{ role: 'user', content: { type: 'text', text } }],
      maxTokens: 9,
    });
    throw new Error(`no login: ${String(pw)}`);
  },
};
const SUMMARY = { role: 'assistant', model: 'm', content: { type: 'text', text: `It is ${SECRET}.` } };

let server: McpServer;
let seen: unknown[];
beforeEach(async () => {
  const logger = new RecordingLogger();
  seen = [logger.lines];
  server = await boot({ services: [], rateLimit: false, logger });
  server.tools.add([login, summarise]);
  server.on('message', (message) => seen.push(message));
  server.on('call', (call) => seen.push(call));
});
afterEach(() => server.close(0));

function expectHidden() {
  const all = JSON.stringify(seen, (_, value: unknown) =>
    value instanceof Error ? `${value.stack}` : value,
  );
  expect(all).toContain('no login: [sensitive]');
  expect(FORMS.filter((form) => all.includes(form))).toEqual([]);
}

const META = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'debug' };

test('words of a question, of a log and of progress, and each form in an error, are hidden from observers', async () => {
  const wire = StatelessWire.of(server, 'ann', { elicitation: { form: {} } });
  const { result } = await wire.call('login', { pw: SECRET });
  const [key] = Object.keys(result.inputRequests);
  expect(result.inputRequests[key!].params.message).toContain('Log in with Quokka');
  const answered = { requestState: result.requestState, inputResponses: { [key!]: YES } };
  const open = wire.open('tools/call', {
    params: { name: 'login', arguments: { pw: SECRET }, ...answered },
    meta: META,
  });
  expect((await open.answer)!.result.isError).toBe(true);
  expectHidden();
});

test('and on a revision with sessions', async () => {
  const wire = new StatefulWire(server, { capabilities: { elicitation: {} }, subject: 'ann' });
  const answer = wire.call('login', { pw: SECRET }, META);
  const { id, params } = await wire.question('elicitation/create');
  expect(params.message).toContain('Log in with Quokka');
  wire.answer(id as string, { result: YES });
  expect((await answer).result.isError).toBe(true);
  expectHidden();
  wire.close();
});

test('what a client answers to a question of the call is hidden, for it may repeat what it was asked', async () => {
  const wire = StatelessWire.of(server, 'ann', { sampling: {} });
  const { result } = await wire.call('summarise', { pw: SECRET });
  const [key] = Object.keys(result.inputRequests);
  const answered = { requestState: result.requestState, inputResponses: { [key!]: SUMMARY } };
  const open = wire.open('tools/call', {
    params: { name: 'summarise', arguments: { pw: SECRET }, ...answered },
  });
  expect((await open.answer)!.result.isError).toBe(true);
  expectHidden();
});

test.each([
  ['answers', { result: SUMMARY }],
  ['refuses', { error: { code: -1, message: `I do not read ${SECRET}` } }],
])('and on a revision with sessions, where the client %s', async (_name, answer) => {
  const wire = new StatefulWire(server, { capabilities: { sampling: {} }, subject: 'ann' });
  const called = wire.call('summarise', { pw: SECRET });
  const { id } = await wire.question('sampling/createMessage');
  wire.answer(id as string, answer);
  expect((await called).result.isError).toBe(true);
  const all = JSON.stringify(seen);
  expect(FORMS.filter((form) => all.includes(form))).toEqual([]);
  wire.close();
});
