import {
  MemoryClaimStore,
  MemoryEventBus,
  MemoryLeaseStore,
  MemoryRateLimiter,
  MemoryTaskStore,
  systemClock,
  type ServerStores,
} from '@toolwright/core/ports';
import { boot } from './support/booting.js';
import { FakeClock } from './support/fake-clock.js';
import { RecordingLogger } from './support/recording-logger.js';
import { StatelessWire } from './wire/stateless-wire.js';

const secrets = ['s'.repeat(32)];
const sealed = { secrets };
const problemsOf = async (options: object) => {
  const error: Error = await boot(options).then(
    async (server) => {
      await server.close();
      return new Error('none');
    },
    (thrown) => thrown,
  );
  return error.message;
};

describe('Stores that processes share', () => {
  test('need secrets that processes share, too', async () => {
    const stores: ServerStores = { leases: new MemoryLeaseStore() };
    const text = await problemsOf({ stores });
    expect(text).toContain('"secrets" is not, so no other process could open');
    expect(text).toContain('openssl rand -base64 32');
    expect(await problemsOf({ stores, ...sealed })).toBe('none');
  });

  test('must be able to say which sessions have ended', async () => {
    const claims = { claim: () => true, release: () => true };
    expect(await problemsOf({ stores: { claims }, ...sealed })).toContain('has no method "has"');
    for (const apart of [{ sessions: false }, { stateful: false }])
      expect(await problemsOf({ stores: { claims }, ...sealed, ...apart })).toBe('none');
  });

  test('need no secrets if nothing of them is sealed', async () => {
    const stores = { bus: new MemoryEventBus(), rateLimiter: new MemoryRateLimiter() };
    expect(await problemsOf({ stores: [stores, { tasks: new MemoryTaskStore(systemClock) }] })).toBe('none');
  });

  test.each<[string, object, string]>([
    ['a misspelt store', { rateLimter: new MemoryRateLimiter() }, `no option "stores.rateLimter"`],
    ['a store that is none', [{}, { bus: {} }], 'The option "stores[1].bus" must be an event bus'],
    [
      'a queue that hands out no work',
      { tasks: Object.assign(new MemoryTaskStore(systemClock), { enqueue() {} }) },
      'a queue extends TaskQueue of @toolwright/queue',
    ],
  ])('are checked: %s', async (_what, stores, message) => {
    expect(await problemsOf({ stores, ...sealed })).toContain(message);
  });

  test('may be an instance of a class with members of its own', async () => {
    class Mine implements ServerStores {
      readonly bus = new MemoryEventBus();
      readonly connection = 'open';
    }
    expect(await problemsOf({ stores: new Mine() })).toBe('none');
    expect(await problemsOf({ stores: Object.assign(new Mine(), { bus: 1 }) })).toContain('"stores.bus"');
  });

  test('are opened at boot with the clock and the logger, and closed after the server', async () => {
    const events: string[] = [];
    const logger = new RecordingLogger();
    const clock = new FakeClock();
    const store = (name: string): ServerStores => ({
      async open(ports) {
        ports.logger.info({}, name);
        events.push(`${name} opened ${ports.clock.now() === clock.now()}`);
      },
      async close() {
        events.push(`${name} closed`);
      },
      health: () => [{ store: name, up: true, since: 1 }],
    });
    const server = await boot({ stores: [store('one'), store('two')], ports: { clock }, logger, ...sealed });
    expect(server.protocol.stores.map((each) => each.store)).toEqual(['one', 'two']);
    await server.close();
    expect(logger.lines.map(({ message }) => message)).toEqual(expect.arrayContaining(['one', 'two']));
    expect(events).toEqual(['one opened true', 'two opened true', 'one closed', 'two closed']);
  });

  test('take their places, and of several for the same thing the last one counts', async () => {
    const used: string[] = [];
    const bus = (name: string) => {
      const memory = new MemoryEventBus();
      memory.subscribe(() => used.push(`bus ${name}`));
      return memory;
    };
    const limiter = (name: string) => {
      const memory = new MemoryRateLimiter();
      const consume: typeof memory.consume = (...args) => {
        used.push(`limiter ${name}`);
        return memory.consume(...args);
      };
      return { consume };
    };
    const claims = new MemoryClaimStore(systemClock);
    const stores = [{ bus: bus('first'), rateLimiter: limiter('first'), claims }, { bus: bus('second') }];
    for (const own of [{}, { bus: bus('own'), rateLimiter: limiter('own') }]) {
      const server = await boot({ stores: [...stores, own], ...sealed });
      server.tools.add({ name: 'work', description: 'Works.', handler: () => 'done' });
      await StatelessWire.of(server, 'ann').call('work');
      await server.close();
    }
    expect(new Set(used)).toEqual(new Set(['bus second', 'limiter first', 'bus own', 'limiter own']));
  });
});
