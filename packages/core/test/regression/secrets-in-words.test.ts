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

let server: McpServer;
let seen: unknown[];
beforeEach(async () => {
  const logger = new RecordingLogger();
  seen = [logger.lines];
  server = await boot({ services: [], rateLimit: false, logger });
  server.tools.add([login]);
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
