import { settled } from '../support/fake-clock.js';
import { close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { RecordingSink, SessionWire } from '../wire/session-wire.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

let fixture: ProtocolFixture;
const serve = async (options: Parameters<typeof createProtocolFixture>[0]) => {
  fixture = await createProtocolFixture(options);
};
afterEach(() => close(fixture));

const filter = { notifications: { toolsListChanged: true } };
const watched = { uri: 'test://plain' };
const refused = (method: string) => ({
  code: -32601,
  message: expect.stringMatching(`^Method not found: ${method}. .*no changes are announced`),
});

const discovered = async (wire = new StatelessWire(fixture.server)) =>
  (await wire.request('server/discover')).result.capabilities;
const addTool = () => fixture.server.tools.add({ name: 'late', description: 'late', handler: () => 'late' });

describe.each([
  ['subscriptions: false', false as const],
  ['subscriptions: { max: 0 }', { max: 0 }],
  ['places for nobody', { maxPerPrincipal: 0, maxAnonymous: 0 }],
])('with %s', (_name, subscriptions) => {
  beforeEach(() => serve({ subscriptions }));

  test('the capabilities promise no changes, on any revision', async () => {
    const { result } = JSON.parse(new SessionWire(fixture.server).opened.reply.text);
    const connected = new StatefulWire(fixture.server).said[0].result;
    for (const capabilities of [await discovered(), result.capabilities, connected.capabilities])
      expect(capabilities).toMatchObject({ tools: {}, resources: {}, logging: {} });
    expect(JSON.stringify([await discovered(), result, connected])).not.toMatch(/listChanged|subscribe/);
  });

  test('a client that subscribes hears why it cannot', async () => {
    for (const wire of [new StatelessWire(fixture.server), StatelessWire.of(fixture.server, 'ada')])
      expect((await wire.request('subscriptions/listen', filter)).error).toEqual(
        refused('subscriptions/listen'),
      );
    const wire = new StatefulWire(fixture.server);
    for (const method of ['resources/subscribe', 'resources/unsubscribe'])
      expect((await wire.request(method, watched)).error).toEqual(refused(method));
  });

  test('a session hears of no changes', async () => {
    const wire = new SessionWire(fixture.server);
    const sink = new RecordingSink();
    wire.session!.streams.listen(sink);
    const connected = new StatefulWire(fixture.server);
    addTool();
    await settled();
    expect([sink.inbox.messages, connected.said.length]).toEqual([[], 1]);
    expect((await connected.call('late')).result.content[0].text).toBe('late');
  });
});

test('callers of the other kind keep their places', async () => {
  await serve({ subscriptions: { max: 0, maxAnonymous: 1 } });
  expect((await discovered()).tools).toEqual({ listChanged: true });
  const { error } = await StatelessWire.of(fixture.server, 'ada').request('subscriptions/listen', filter);
  expect(error).toEqual(refused('subscriptions/listen'));
  const stream = new StatelessWire(fixture.server).open('subscriptions/listen', { params: filter });
  addTool();
  await settled();
  expect(stream.inbox.messages).toHaveLength(2);
  stream.giveUp();
});

test('with sessions: false only clients of the newest revision, and connections, hear of changes', async () => {
  await serve({ sessions: false });
  const { reply } = new SessionWire(fixture.server, { initialized: false }).opened;
  expect(reply.text).not.toMatch(/listChanged|subscribe/);
  const whole = { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } };
  expect(await discovered()).toMatchObject(whole);
  const connected = new StatefulWire(fixture.server);
  expect(connected.said[0].result.capabilities).toMatchObject(whole);
  expect((await connected.request('resources/subscribe', watched)).result).toEqual({});
});
