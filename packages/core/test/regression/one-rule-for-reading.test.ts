import { RequireScopes, type McpServer, type Principal, type ServerOptions } from '@toolwright/core';
import { isServerEvent, MemoryEventBus, type EventBus, type ServerEvent } from '@toolwright/core/ports';
import { boot } from '../support/booting.js';
import { settled } from '../support/fake-clock.js';
import { Fleet, openedAt } from '../support/fleet.js';
import { close, createProtocolFixture, type ProtocolFixture } from '../support/protocol-fixture.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { RecordingSink, SessionWire } from '../wire/session-wire.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

/** Who may read which ticket. Tests change it. */
let owners: Record<string, string[]>;
beforeEach(() => (owners = { 1: ['ann'], 2: ['ann', 'bob'] }));

const mayRead: ServerOptions['mayRead'] = (principal, _resource, _uri, { id }) =>
  id === undefined || owners[id as string]?.includes(principal?.subject ?? '') === true;

function addTickets(server: McpServer): void {
  server.resourceTemplates.add({
    name: 'ticket',
    uriTemplate: 'ticket://{id}',
    handler: ({ id }) => `ticket ${String(id)}`,
  });
}

const updatesOf = (messages: any[]) =>
  messages
    .filter(({ method }) => method === 'notifications/resources/updated')
    .map(({ params }) => params.uri);

/** A client of each era that wants to hear of these URIs. */
async function watching(server: McpServer, subject: string, uris: string[]) {
  const older = new StatefulWire<any>(server, { subject });
  uris.forEach((uri, index) => older.tell(10 + index, 'resources/subscribe', { uri }));
  const params = { notifications: { resourceSubscriptions: uris } };
  const stream = StatelessWire.of(server, subject).open('subscriptions/listen', { params });
  const acknowledged: string[] = (await stream.inbox.at(1)).params.notifications.resourceSubscriptions ?? [];
  const accepted = uris.filter((_uri, index) => older.said.find(({ id }) => id === 10 + index)?.result);
  return {
    accepted: { older: accepted, newer: acknowledged },
    heard: () => ({ older: updatesOf(older.said), newer: updatesOf(stream.inbox.messages) }),
    close() {
      older.close();
      stream.giveUp();
    },
  };
}

const inBoth = (uris: string[]) => ({ older: uris, newer: uris });

describe('One rule decides who reads, who subscribes and who is told', () => {
  let fixture: ProtocolFixture;
  let server: McpServer;
  const logger = new RecordingLogger();
  const start = async (options: Partial<ServerOptions>) => {
    fixture = await createProtocolFixture({ logger, ...options });
    ({ server } = fixture);
    addTickets(server);
  };
  afterEach(() => close(fixture));

  const read = async (subject: string, uri: string) =>
    (await StatelessWire.of(server, subject).request('resources/read', { uri })).error?.code;

  test.each<[string, Partial<ServerOptions>]>([
    ['mayRead', { mayRead }],
    [
      'authorize, which sees the URI and the variables',
      {
        authorize: (principal, { kind }, uri, variables) =>
          kind !== 'resourceTemplate' || !uri || mayRead!(principal, {} as never, uri, variables!),
      },
    ],
  ])('by %s', async (_name, options) => {
    await start(options);
    const uris = ['ticket://1', 'ticket://2'];
    const [ann, bob] = [await watching(server, 'ann', uris), await watching(server, 'bob', uris)];
    expect([ann.accepted, bob.accepted]).toEqual([inBoth(uris), inBoth(['ticket://2'])]);
    expect([await read('ann', 'ticket://1'), await read('bob', 'ticket://1')]).toEqual([undefined, -32602]);
    for (const uri of uris) server.resourceUpdated(uri);
    await settled();
    expect([ann.heard(), bob.heard()]).toEqual([inBoth(uris), inBoth(['ticket://2'])]);
    ann.close();
    bob.close();
  });

  test('when a permission goes, both eras stop telling, and go on when it comes back', async () => {
    await start({ mayRead });
    const bob = await watching(server, 'bob', ['ticket://2']);
    const change = async (who: string[]) => {
      owners[2] = who;
      server.resourceUpdated('ticket://2');
      await settled();
      return bob.heard().older.length + bob.heard().newer.length;
    };
    expect([await change(['bob']), await change([]), await change(['bob'])]).toEqual([2, 2, 4]);
    bob.close();
  });

  test('unknown URIs and those of others are refused alike, in both eras', async () => {
    await start({ mayRead });
    const uris = ['ticket://1', 'ticket://99', 'absent://1', 'test://plain'];
    const bob = await watching(server, 'bob', uris);
    expect(bob.accepted).toEqual(inBoth(['test://plain']));
    server.resources.add({ name: 'late', uri: 'absent://1', handler: () => 'late' });
    for (const uri of uris) server.resourceUpdated(uri);
    await settled();
    expect(bob.heard()).toEqual(inBoth(['test://plain']));
    bob.close();
  });

  test('lists show a resource with a fixed URI to those who may read it', async () => {
    await start({
      mayRead: (principal, _resource, uri) => uri !== 'note://ann' || principal?.subject === 'ann',
    });
    server.resources.add({ name: 'note', uri: 'note://ann', handler: () => 'x' });
    const listed = async (subject: string) => {
      const { result } = await StatelessWire.of(server, subject).request('resources/list');
      return result.resources.some(({ uri }: { uri: string }) => uri === 'note://ann');
    };
    expect([await listed('ann'), await listed('bob')]).toEqual([true, false]);
  });

  test('a forged state reveals nothing of a URI that the caller may not read', async () => {
    await start({ mayRead });
    const answers = ['ticket://1', 'ticket://9'].map(async (uri) => {
      const { error } = await StatelessWire.of(server, 'bob').request('resources/read', {
        ...{ uri, requestState: 'forged', inputResponses: {} },
      });
      return JSON.stringify(error).replaceAll(uri, '');
    });
    const [hidden, unknown] = await Promise.all(answers);
    expect(hidden).toBe(unknown);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['answers with a promise', async () => true],
  ])('a rule that %s tells nobody, and takes the update from nobody else', async (_what, problem) => {
    let isBroken = false;
    await start({
      mayRead: ((principal: Principal | undefined) =>
        !isBroken || principal?.subject !== 'bob' || (problem() as never)) as never,
    });
    const [bob, ann] = [
      await watching(server, 'bob', ['ticket://2']),
      await watching(server, 'ann', ['ticket://2']),
    ];
    isBroken = true;
    server.resourceUpdated('ticket://2');
    await settled();
    expect([bob.heard(), ann.heard()]).toEqual([inBoth([]), inBoth(['ticket://2'])]);
    bob.close();
    ann.close();
  });

  test('an update is told to those that `to` chooses among those who may read it', async () => {
    await start({ mayRead });
    const uris = ['ticket://2'];
    const [ann, bob] = [await watching(server, 'ann', uris), await watching(server, 'bob', uris)];
    server.resourceUpdated('ticket://2', { to: (principal) => principal?.subject === 'bob' });
    server.resourceUpdated('ticket://2', { to: (async () => true) as never });
    server.resourceUpdated('ticket://2', {
      to: () => {
        throw new Error('no');
      },
    });
    owners[2] = ['ann'];
    server.resourceUpdated('ticket://2', { to: (principal) => principal?.subject === 'bob' });
    await settled();
    expect([ann.heard(), bob.heard()]).toEqual([inBoth([]), inBoth(uris)]);
    ann.close();
    bob.close();
  });
});

/** Carries text between processes, as adapters do. Listeners of the same process get the event itself. */
class TextBus implements EventBus {
  readonly #local = new MemoryEventBus();
  readonly sent: string[] = [];

  constructor(private readonly line: MemoryEventBus) {
    line.subscribe((event) => {
      const { from, text } = event as unknown as { from: TextBus; text: string };
      const read: unknown = JSON.parse(text);
      if (from !== this && isServerEvent(read)) this.#local.publish(read);
    });
  }

  publish(event: ServerEvent): void {
    const text = JSON.stringify(event);
    this.sent.push(text);
    this.line.publish({ from: this, text } as never);
    this.#local.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    return this.#local.subscribe(listener);
  }
}

describe('Between processes', () => {
  const fleet = new Fleet();
  const line = new MemoryEventBus();
  afterEach(() => fleet.stop());

  const start = async (options: Partial<ServerOptions> = {}) => {
    const bus = new TextBus(line);
    const server = await fleet.start({}, { stores: { bus }, mayRead, ...options });
    addTickets(server);
    return { server, bus };
  };

  test('an update reaches those whom the function of another process chooses, and nobody reads who was asked about', async () => {
    const [one, two] = [await start(), await start()];
    const uris = ['ticket://2'];
    const [ann, bob] = [await watching(two.server, 'ann', uris), await watching(two.server, 'bob', uris)];
    one.server.resourceUpdated('ticket://2', { to: (principal) => principal?.subject === 'bob' });
    await settled();
    expect([ann.heard(), bob.heard()]).toEqual([inBoth([]), inBoth(uris)]);
    expect([...one.bus.sent, ...two.bus.sent].filter((text) => /ann|bob/.test(text))).toEqual([]);
    one.server.resourceUpdated('ticket://2');
    owners[2] = ['bob'];
    one.server.resourceUpdated('ticket://2');
    await settled();
    expect([ann.heard(), bob.heard()]).toEqual([inBoth(uris), inBoth([...uris, ...uris, ...uris])]);
    ann.close();
    bob.close();
  });

  test('with `local`, an update is told at its own process alone, and once when every process hears of the change', async () => {
    const [one, two] = [await start(), await start()];
    const ann = [
      await watching(one.server, 'ann', ['ticket://2']),
      await watching(two.server, 'ann', ['ticket://2']),
    ];
    const bob = await watching(one.server, 'bob', ['ticket://2']);
    const heard = () => [...ann, bob].map((each) => each.heard());
    one.server.resourceUpdated('ticket://2', { local: true });
    await settled();
    expect(heard()).toEqual([inBoth(['ticket://2']), inBoth([]), inBoth(['ticket://2'])]);
    for (const { server } of [one, two])
      server.resourceUpdated('ticket://2', { local: true, to: (principal) => principal?.subject === 'ann' });
    await settled();
    expect(heard()).toEqual([
      inBoth(['ticket://2', 'ticket://2']),
      inBoth(['ticket://2']),
      inBoth(['ticket://2']),
    ]);
    expect([...one.bus.sent, ...two.bus.sent].filter((text) => text.includes('resourceUpdated'))).toEqual([]);
    [...ann, bob].forEach((each) => each.close());
  });

  const startAlone = async () => {
    const bus = new TextBus(line);
    const server = await boot({ stores: { bus }, mayRead, logger: fleet.logger });
    addTickets(server);
    return { server, bus };
  };

  test('without secrets such an update stays in its process, and the log says so once', async () => {
    const [one, two] = [await startAlone(), await startAlone()];
    const bob = await watching(two.server, 'bob', ['ticket://2']);
    for (let count = 0; count < 2; count++) one.server.resourceUpdated('ticket://2', { to: () => true });
    await settled();
    expect(bob.heard()).toEqual(inBoth([]));
    expect(
      fleet.logger.lines.filter(({ message }) => message.includes('Updates that only some')),
    ).toHaveLength(1);
    bob.close();
  });

  test('the stream of a session obeys the token that its client has used last, at whichever process', async () => {
    const [one, two] = [await start(), await start()];
    const policies = [RequireScopes.entry('news')];
    for (const { server } of [one, two])
      server.resources.add({ name: 'news', uri: 'test://news', policies, handler: () => 'news' });
    const wire = new SessionWire(one.server, { subject: 'ann' });
    const as = (server: McpServer, scopes: string[]) =>
      Object.assign(wire.at(server), { peer: { ...wire.peer, principal: { subject: 'ann', scopes } } });
    const [here, there] = [as(one.server, ['news']), await openedAt(two.server, as(two.server, ['news']))];
    await here.request('resources/subscribe', { uri: 'test://news' });
    const sink = new RecordingSink();
    there.session!.streams.listen(sink);
    one.server.resourceUpdated('test://news');
    expect(updatesOf([await sink.inbox.at(1)])).toEqual(['test://news']);
    await as(one.server, []).request('ping');
    one.server.resourceUpdated('test://news');
    await settled();
    expect(sink.inbox.messages).toHaveLength(1);
    await as(one.server, ['news']).request('ping');
    one.server.resourceUpdated('test://news');
    await sink.inbox.at(2);
  });
});
