import {
  MemoryClaimStore,
  MemoryEventBus,
  MemoryLeaseStore,
  MemoryRateLimiter,
  systemClock,
  type ServerStores,
} from '@toolwright/core/ports';
import { boot } from './support/booting.js';
import { FakeClock } from './support/fake-clock.js';
import { RecordingLogger } from './support/recording-logger.js';
import { StatelessWire } from './wire/stateless-wire.js';

const secrets = ['s'.repeat(32)];
const sealed = { requestState: { secrets }, sessions: { secrets } };
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
    expect(text).toContain('"requestState.secrets" is not');
    expect(text).toContain('"sessions.secrets" is not');
    expect(text).toContain('openssl rand -base64 32');
    expect(await problemsOf({ stores, ...sealed })).toBe('none');
    expect(await problemsOf({ stores, requestState: { secrets }, stateful: false })).toBe('none');
    expect(await problemsOf({ stores, requestState: { secrets }, sessions: false })).toBe('none');
  });

  test('must be able to say which sessions have ended', async () => {
    const claims = { claim: () => true, release: () => true };
    expect(await problemsOf({ stores: { claims }, ...sealed })).toContain('has no method "has"');
    expect(await problemsOf({ ...sealed, requestState: { secrets, claims } })).toContain(
      'has no method "has"',
    );
  });

  test('are opened at boot with the clock and the logger, and closed after the server', async () => {
    const events: string[] = [];
    const logger = new RecordingLogger();
    const clock = new FakeClock();
    const store = (name: string): ServerStores => ({
      async open(ports) {
        events.push(`${name} opened ${ports.logger === logger && ports.clock.now() === clock.now()}`);
      },
      async close() {
        events.push(`${name} closed`);
      },
      health: () => [{ store: name, up: true, since: 1 }],
    });
    const server = await boot({ stores: [store('one'), store('two')], ports: { clock }, logger, ...sealed });
    expect(server.protocol.stores.map((each) => each.store)).toEqual(['one', 'two']);
    await server.close();
    expect(events).toEqual(['one opened true', 'two opened true', 'one closed', 'two closed']);
  });

  test('take their places, except where the application names a store itself', async () => {
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
    for (const own of [{}, { bus: bus('own'), rateLimit: { limiter: limiter('own') } }]) {
      const server = await boot({ stores, ...sealed, ...own });
      server.tools.add({ name: 'work', description: 'Works.', handler: () => 'done' });
      await StatelessWire.of(server, 'ann').call('work');
      await server.close();
    }
    expect(new Set(used)).toEqual(new Set(['bus second', 'limiter first', 'bus own', 'limiter own']));
  });
});
