import { Confirm, RateLimit, type McpServer, type ServerOptions } from '@toolwright/core';
import type { AuditEvent } from '@toolwright/core/ports';
import { boot } from '../support/booting.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink } from '../support/recording-sink.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** Sorts what it is shown, as code does that only wants to read it. */
const sort = (args: Record<string, unknown>) => void (args['items'] as string[]).reverse();
const sent = { items: ['a', 'b'] };

const servers: McpServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close(0))));

/** A server with one tool that tells the items that it gets, and changes them afterwards. */
async function tell(policies: readonly object[], options: Partial<ServerOptions> = {}) {
  const server = await boot({ rateLimit: false, ...options });
  servers.push(server);
  server.tools.add({
    ...{ name: 'tell', description: 'Tells the items.', policies: policies as never },
    inputSchema: {
      type: 'object',
      properties: { items: { type: 'array', items: { type: 'string' } } },
      required: ['items'],
    },
    handler: (args) => {
      const text = (args['items'] as string[]).join();
      sort(args);
      return text;
    },
  });
  return StatelessWire.of(server, 'ada', { elicitation: { form: {} } });
}

const textOf = async (wire: StatelessWire) =>
  (await wire.call('tell', structuredClone(sent))).result.content[0].text as string;

test.each<[string, readonly object[], Partial<ServerOptions>]>([
  ['when of @Confirm', [Confirm.entry('Do it?', { when: (args) => (sort(args), false) })], {}],
  [
    'the key of a limit',
    [RateLimit.entry({ points: 9, per: '1h', key: ({ arguments: args }) => (sort(args), 'k') })],
    {},
  ],
  [
    'the key of the limit of the server',
    [],
    { rateLimit: { key: ({ arguments: args }) => (sort(args), 'k') } },
  ],
])(
  'the method gets what the client sent, although %s changes what it is shown',
  async (_who, policies, options) => {
    expect(await textOf(await tell(policies, options))).toBe('a,b');
  },
);

test('a person is asked about what runs, whatever the words of @Confirm do to what they are shown', async () => {
  const words = (args: Record<string, unknown>) => (sort(args), `Tell ${String(args['items'])}?`);
  const wire = await tell([Confirm.entry(words)]);
  const { result } = await wire.call('tell', structuredClone(sent));
  const [key] = Object.keys(result.inputRequests);
  const answer = { inputResponses: { [key!]: { action: 'accept', content: { confirm: true } } } };
  const done = await wire.call('tell', structuredClone(sent), {
    ...answer,
    requestState: result.requestState,
  });
  expect(done.result.content[0].text).toBe('a,b');
});

test('records have what the client sent, also after the method has changed its arguments', async () => {
  const sink = new RecordingSink();
  const wire = await tell([], { audit: sink });
  await textOf(wire);
  expect(sink.records.at(-1)!.event.arguments).toEqual(sent);
});

test('a sink that hides values in a record changes no call', async () => {
  const sink = new RecordingSink();
  sink.before = ({ arguments: args }: AuditEvent) => sort(args as Record<string, unknown>);
  const server = await boot({ rateLimit: false, audit: sink });
  servers.push(server);
  server.tools.add({
    ...{ name: 'tell', description: 'Tells the items.', annotations: { destructiveHint: true } },
    inputSchema: { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } },
    handler: ({ items }) => String(items),
  });
  expect(await textOf(StatelessWire.of(server, 'ada'))).toBe('a,b');
  expect(sink.events).toEqual(['intent', 'outcome ok']);
});

test.each(['authorize', 'mayRead'] as const)('%s cannot change what is read', async (name) => {
  const rule = (...given: unknown[]) => {
    const variables = given.at(-1) as Record<string, unknown> | undefined;
    if (variables && 'id' in variables) variables['id'] = 'theirs';
    return true;
  };
  const server = await boot({ [name]: rule });
  servers.push(server);
  server.resourceTemplates.add({
    ...{ name: 'page', description: 'A page.', uriTemplate: 'page://{id}' },
    handler: ({ id }) => String(id),
  });
  const { result } = await StatelessWire.of(server, 'ada').request('resources/read', { uri: 'page://mine' });
  expect(result.contents[0].text).toBe('mine');
});

test('a function of @Confirm that changes an instance of a class ends its call', async () => {
  class Order {
    constructor(public cents: number) {}
  }
  const logger = new RecordingLogger();
  const server = await boot({ rateLimit: false, logger });
  servers.push(server);
  const schema = {
    '~standard': {
      ...{ version: 1, vendor: 'test' },
      validate: (value: unknown) => ({ value: { order: new Order((value as { order: number }).order) } }),
      jsonSchema: { input: () => ({ type: 'object', properties: { order: { type: 'integer' } } }) },
    },
  };
  const ran: unknown[] = [];
  server.tools.add({
    ...{ name: 'pay', description: 'Pays.', inputSchema: schema as never },
    policies: [Confirm.entry('Pay?', { when: (args) => (((args['order'] as Order).cents = 1), false) })],
    handler: ({ order }) => String(ran.push(order)),
  });
  const { result } = await StatelessWire.of(server, 'ada').call('pay', { order: 5 });
  expect([result.isError, ran]).toEqual([true, []]);
  expect(String(logger.lines.at(-1)!.fields['err'])).toContain('@Confirm of "pay" changed the arguments');
});
