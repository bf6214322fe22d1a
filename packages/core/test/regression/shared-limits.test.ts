import { RateLimit, type McpServer, type ServerOptions } from '@toolwright/core';
import {
  MemoryRateLimiter,
  type RateLimitDecision,
  type RateLimiter,
  type RateLimitRule,
} from '@toolwright/core/ports';
import { within } from '@toolwright/ground/call/limits/timed-store';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { boot } from '../support/booting.js';
import { FakeClock } from '../support/fake-clock.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const secrets = ['s'.repeat(32)];
const sealed = { secrets };

/** One store for all processes. It answers, fails, or answers when the test says so. */
class SharedLimiter implements RateLimiter {
  readonly #counts: MemoryRateLimiter;
  mode: 'answers' | 'fails' | 'is late' = 'answers';
  readonly late: (() => void)[] = [];

  constructor(clock: FakeClock) {
    this.#counts = new MemoryRateLimiter(clock);
  }

  consume(key: string, cost: number, rule: RateLimitRule): RateLimitDecision | Promise<RateLimitDecision> {
    if (this.mode === 'fails') throw new Error('away');
    const decision = this.#counts.consume(key, cost, rule);
    if (this.mode === 'answers') return decision;
    return new Promise((resolve) => this.late.push(() => resolve(decision)));
  }
}

describe('Limits that processes share', () => {
  let clock: FakeClock;
  let limiter: SharedLimiter;
  const servers = closedAfterEach<McpServer>((server) => server.close(0));
  beforeEach(() => {
    clock = new FakeClock();
    limiter = new SharedLimiter(clock);
  });

  async function start(options: Partial<ServerOptions>): Promise<StatelessWire> {
    const server = await boot({
      ports: { clock },
      concurrency: false,
      timeout: false,
      ...sealed,
      ...options,
    });
    const policies = [RateLimit.entry({ points: 20, per: '1m' })];
    server.tools.add({ name: 'work', description: 'Works.', policies, handler: () => 'done' });
    servers.push(server);
    return StatelessWire.of(server, 'ann');
  }
  const fleet = (options: Partial<ServerOptions>) => Promise.all([1, 2, 3].map(() => start(options)));
  const isServed = ({ result }: { result?: any }) => result?.isError !== true;
  const served = async (fleetOf: StatelessWire[], calls: number) => {
    const answers = fleetOf.flatMap((wire) => Array.from({ length: calls }, () => wire.call('work')));
    return (await Promise.all(answers)).filter(isServed).length;
  };

  test.each<[string, () => Partial<ServerOptions>]>([
    ['rateLimit: false', () => ({ stores: { rateLimiter: limiter }, rateLimit: false })],
    ['the default', () => ({ stores: { rateLimiter: limiter } })],
    ['a limit of the server', () => ({ stores: { rateLimiter: limiter }, rateLimit: { points: 100 } })],
  ])("count a tool's own limit for all processes together, with %s", async (_what, options) => {
    expect(await served(await fleet(options()), 20)).toBe(20);
  });

  test('go on from what the store said last when it goes away', async () => {
    const processes = await fleet({ stores: { rateLimiter: limiter } });
    for (const wire of processes) await wire.call('work');
    expect(await served([processes[0]!], 20)).toBe(17);
    for (const wire of processes.slice(1)) await wire.call('work');
    limiter.mode = 'fails';
    expect(await served(processes, 20)).toBe(0);
    await clock.advance(60_000);
    // A window that nobody has counted together: each process counts for itself, and no process twice.
    expect(await served(processes, 30)).toBe(60);
    limiter.mode = 'answers';
    await clock.advance(60_000);
    expect(await served(processes, 20)).toBe(20);
  });

  test('learn from answers that come too late', async () => {
    const [one, two] = (await fleet({ stores: { rateLimiter: limiter } })) as [StatelessWire, StatelessWire];
    expect(await served([one], 19)).toBe(19);
    limiter.mode = 'is late';
    const late = two.call('work');
    await clock.advance(50);
    expect(isServed(await late)).toBe(true);
    limiter.late.splice(0).forEach((answer) => answer());
    await clock.advance(0);
    limiter.mode = 'fails';
    expect(await served([two], 20)).toBe(0);
  });

  test('are told as away by probes and metrics while a process counts for itself', async () => {
    const wire = await start({ stores: { rateLimiter: limiter } });
    const [server] = servers;
    const away = () => server!.protocol.stores.filter(({ up }) => !up).map(({ store }) => store);
    await wire.call('work');
    expect(away()).toEqual([]);
    limiter.mode = 'fails';
    await wire.call('work');
    expect(away()).toEqual(['shared limits']);
    await clock.advance(4_000);
    expect(away()).toEqual(['shared limits']);
    await clock.advance(1_000);
    expect(away()).toEqual([]);
  });
});

describe('A late timer is not a slow store', () => {
  const outcomeOf = (clock: FakeClock, work: Promise<unknown>) =>
    within(work, { clock, ms: 50, tooLate: () => new Error('too late') }).catch(
      (error: Error) => error.message,
    );

  test('so time in which the process was held up does not count', async () => {
    const clock = new FakeClock();
    let answer: (value: string) => void = () => {};
    const outcome = outcomeOf(clock, new Promise((resolve) => (answer = resolve)));
    for (let turn = 0; turn < 15; turn++) {
      clock.leap(100);
      await clock.advance(0);
    }
    answer('in time');
    expect(await outcome).toBe('in time');
  });

  test('and a slow store is one, after 50 ms', async () => {
    const clock = new FakeClock();
    const outcome = outcomeOf(clock, new Promise(() => {}));
    await clock.advance(49);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await outcome).toBe('too late');
  });

  test('and nobody waits for ever in a process that is always held up', async () => {
    const clock = new FakeClock();
    const outcome = outcomeOf(clock, new Promise(() => {}));
    for (let turn = 0; turn < 20; turn++) {
      clock.leap(100);
      await clock.advance(0);
    }
    expect(await outcome).toBe('too late');
  });
});
