import { Injectable, Timeout, type McpServer, type ServerOptions, type ToolContext } from '@toolwright/core';
import { Scheduled } from '@toolwright/schedules';
import { boot } from '../../core/test/support/booting.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';
import { Gates } from '../../core/test/support/gates.js';
import { RecordingLogger } from '../../core/test/support/recording-logger.js';
import { RecordingSink } from '../../core/test/support/recording-sink.js';

/** Saturday, 2 January 2027, 02:59:30 UTC. */
const START = Date.UTC(2027, 0, 2, 2, 59, 30);
const MINUTE = 60_000;
const DAY = 86_400_000;

let clock: FakeClock;
let server: McpServer | undefined;
let logger: RecordingLogger;
let sink: RecordingSink;
let ran: string[];

beforeEach(() => {
  [clock, logger, sink, ran] = [new FakeClock(START), new RecordingLogger(), new RecordingSink(), []];
});
afterEach(async () => {
  const closing = server?.close(0);
  await clock.advance(0);
  await closing;
  server = undefined;
  delete process.env['TOOLWRIGHT_SCHEDULES'];
});

/** When something ran, by the clock of the test. */
const note = (what: string) => void ran.push(`${what} ${new Date(clock.now()).toISOString().slice(5, 19)}`);
const start = async (service: unknown, options: Partial<ServerOptions> = {}) =>
  (server = await boot({ services: [service as never], ports: { clock }, logger, audit: sink, ...options }));
const logged = (heard: RegExp): Record<string, unknown>[] =>
  logger.lines
    .filter(({ message }) => heard.test(message))
    .map(({ level, fields }) => ({ level, ...fields }));

describe('a scheduled method', () => {
  it('runs at the times of its expression, in its time zone', async () => {
    @Injectable()
    class Nightly {
      @Scheduled('0 3 * * *') utc() {
        note('utc');
      }
      @Scheduled('0 3 * * *', { timeZone: 'Europe/Vienna' }) vienna() {
        note('vienna');
      }
    }
    await start(Nightly);
    await clock.advance(2 * DAY);
    expect(ran).toEqual([
      'utc 01-02T03:00:00',
      'vienna 01-03T02:00:00',
      'utc 01-03T03:00:00',
      'vienna 01-04T02:00:00',
    ]);
  });

  it('may be static, and its expression may count seconds', async () => {
    class Often {
      @Scheduled('*/20 * * * * *') static run() {
        note('run');
      }
    }
    await start(Often);
    await clock.advance(MINUTE);
    expect(ran).toEqual(['run 01-02T02:59:40', 'run 01-02T03:00:00', 'run 01-02T03:00:20']);
  });

  it('goes on when the clock of the machine is set back, and does not run again what came once', async () => {
    clock = new FakeClock(Date.UTC(2027, 0, 2, 10, 3, 30));
    class Jobs {
      @Scheduled('* * * * *', { name: 'often' }) often() {
        note('often');
      }
      @Scheduled('30 9 * * *', { name: 'daily' }) daily() {
        note('daily');
      }
    }
    await start(Jobs);
    await clock.advance(MINUTE);
    clock.set(-60 * MINUTE);
    await clock.advance(3 * MINUTE);
    expect(ran).toEqual(['often 01-02T10:04:00', 'often 01-02T09:06:00', 'often 01-02T09:07:00']);
    ran = [];
    await clock.advance(DAY + 60 * MINUTE);
    expect(ran.filter((each) => each.startsWith('daily'))).toEqual(['daily 01-03T09:30:00']);
  });

  it('keeps to the clock of its time zone when that is set forward', async () => {
    clock = new FakeClock(Date.UTC(2027, 2, 27, 12));
    class Morning {
      @Scheduled('0 7 * * *', { timeZone: 'Europe/Vienna' }) run() {
        note('run');
      }
    }
    await start(Morning);
    await clock.advance(3 * DAY);
    expect(ran).toEqual(['run 03-28T05:00:00', 'run 03-29T05:00:00', 'run 03-30T05:00:00']);
  });

  it('may belong to a class that a service needs, and then has the same instance', async () => {
    @Injectable()
    class Index {
      builds = 0;
      @Scheduled('* * * * *') build() {
        note(`build ${++this.builds}`);
      }
    }
    @Injectable()
    class First {
      constructor(readonly index: Index) {}
      @Scheduled('* * * * *') look() {
        note(`first sees ${this.index.builds}`);
      }
    }
    @Injectable()
    class Second extends First {}
    server = await boot({ services: [First], ports: { clock }, logger });
    await expect(server.services.add(Second)).resolves.toBeUndefined();
    await clock.advance(MINUTE);
    expect(ran.filter((each) => each.startsWith('build'))).toEqual(['build 1 01-02T03:00:00']);
    expect(ran).toContain('first sees 1 01-02T03:00:00');
  });

  it('gets a context whose log is the log of the server, and that can ask nobody', async () => {
    let context!: ToolContext;
    let keys: string[] = [];
    class Jobs {
      @Scheduled('* * * * *', { name: 'jobs' }) async run(ctx: ToolContext) {
        context = ctx;
        ctx.log.notice('begins');
        ctx.log.warning({ left: 3 });
        keys = [await ctx.once('step', () => 'first'), await ctx.once('step', () => 'second')];
        await ctx.elicit('sure', { message: 'Sure?', schema: { type: 'object', properties: {} } });
      }
    }
    await start(Jobs);
    await clock.advance(MINUTE);
    expect([context.principal, context.sessionId, context.signal.aborted]).toEqual([
      undefined,
      undefined,
      false,
    ]);
    expect(keys).toEqual(['first', 'first']);
    expect(logged(/begins/)).toMatchObject([{ level: 'info', schedule: 'jobs' }]);
    expect(logged(/has logged this/)).toMatchObject([{ level: 'warn', schedule: 'jobs', data: { left: 3 } }]);
    expect(logged(/A scheduled run failed/)).toMatchObject([
      { err: { message: expect.stringContaining('"elicitation"') } },
    ]);
  });

  it('is left out while the run before still goes on, and that is told', async () => {
    const gates = new Gates();
    class Slow {
      @Scheduled('* * * * *', { name: 'slow' }) async run({ signal }: ToolContext) {
        note('began');
        await gates.wait('end', signal);
        note('ended');
      }
    }
    await start(Slow);
    await clock.advance(3 * MINUTE);
    expect(ran).toEqual(['began 01-02T03:00:00']);
    expect(logged(/still goes on/)).toMatchObject([
      { level: 'warn', schedule: 'slow', due: '2027-01-02T03:01:00.000Z' },
      { level: 'warn', schedule: 'slow', due: '2027-01-02T03:02:00.000Z' },
    ]);
    gates.open('end');
    await clock.advance(0);
    await clock.advance(MINUTE);
    expect(ran.slice(1, 3)).toEqual(['ended 01-02T03:02:30', 'began 01-02T03:03:00']);
  });

  it('is recorded like a call, with the server as its client', async () => {
    class Jobs {
      @Scheduled('* * * * *', { name: 'fine' }) fine() {}
      @Scheduled('* * * * *', { name: 'broken' }) broken() {
        throw new Error('out of paper');
      }
    }
    await start(Jobs);
    await clock.advance(MINUTE);
    const events = sink.records.map(({ event }) => event);
    expect(events).toMatchObject([
      { operation: 'schedule', name: 'fine', outcome: 'ok', principal: null, client: { name: 'test' } },
      { operation: 'schedule', name: 'broken', outcome: 'error', reason: 'TW_INTERNAL' },
    ]);
    const [failure] = logged(/A scheduled run failed/);
    expect(failure).toMatchObject({
      schedule: 'broken',
      due: '2027-01-02T03:00:00.000Z',
      reason: 'TW_INTERNAL',
    });
    expect(events[1]!.reference).toBe(failure!['reference']);
  });

  it('ends at its own deadline, and has no other one', async () => {
    const reasons: Record<string, unknown> = {};
    const hang = (name: string, { signal }: ToolContext) =>
      new Promise<void>((_, reject) =>
        signal.addEventListener('abort', () => reject((reasons[name] = signal.reason as Error))),
      );
    class Jobs {
      @Scheduled('0 3 * * *') @Timeout('5s') bounded(ctx: ToolContext) {
        return hang('bounded', ctx);
      }
      @Scheduled('0 3 * * *') endless(ctx: ToolContext) {
        return hang('endless', ctx);
      }
    }
    await start(Jobs);
    await clock.advance(10 * MINUTE);
    expect(reasons).toMatchObject({ bounded: { name: 'TimeoutError' } });
    expect(Object.keys(reasons)).toEqual(['bounded']);
  });

  it('is not run when the process slept through its time', async () => {
    class Jobs {
      @Scheduled('0 3 * * *', { name: 'late', catchUp: '10s' }) run() {
        note('run');
      }
    }
    await start(Jobs);
    clock.leap(5 * MINUTE);
    await clock.advance(0);
    expect(ran).toEqual([]);
    expect(logged(/could begin it in time/)).toMatchObject([{ schedule: 'late' }]);
    await clock.advance(DAY);
    expect(ran).toEqual(['run 01-03T03:00:00']);
  });

  it('does not run in a process that shall not', async () => {
    class Jobs {
      @Scheduled('* * * * *') run() {
        note('run');
      }
    }
    process.env['TOOLWRIGHT_SCHEDULES'] = 'off';
    await start(Jobs);
    await clock.advance(10 * MINUTE);
    expect(ran).toEqual([]);
  });
});

describe('a server with schedules', () => {
  it('waits for running methods when it drains, begins no more, and aborts them at the end', async () => {
    const gates = new Gates();
    let signal!: AbortSignal;
    class Jobs {
      @Scheduled('* * * * *') async patient({ signal }: ToolContext) {
        note('patient');
        await gates.wait('end', signal);
        note('done');
      }
      @Scheduled('* * * * *') stubborn(ctx: ToolContext) {
        signal = ctx.signal;
        return new Promise(() => undefined);
      }
    }
    await start(Jobs);
    await clock.advance(MINUTE);
    const draining = server!.drain(90_000);
    await clock.advance(80_000);
    gates.open('end');
    await clock.advance(0);
    expect(ran.map((each) => each.split(' ')[0])).toEqual(['patient', 'done']);
    expect(signal.aborted).toBe(false);
    await clock.advance(10_000);
    expect(signal.aborted).toBe(true);
    await clock.advance(5_000);
    await expect(draining).resolves.toBe(false);
  });

  it('follows its services: a schedule comes and goes with its class', async () => {
    class Jobs {
      @Scheduled('* * * * *') run() {
        note('run');
      }
    }
    class Others {
      @Scheduled('* * * * *') run() {
        note('other');
      }
    }
    await start(Jobs);
    await server!.services.add(Others);
    await clock.advance(MINUTE);
    await server!.services.remove(Jobs);
    await clock.advance(MINUTE);
    expect(ran.map((each) => each.split(' ')[0])).toEqual(['run', 'other', 'other']);
  });

  it('shows operators what it runs, what is due next, and what became of the last time', async () => {
    const gates = new Gates();
    class Jobs {
      @Scheduled('0 3 * * *', { name: 'nightly', timeZone: 'Europe/Vienna' }) nightly() {}
      @Scheduled('* * * * *', { name: 'slow' }) slow({ signal }: ToolContext) {
        return gates.wait('end', signal);
      }
    }
    await start(Jobs);
    const seen = async () => (await server!.operate('ann').state()).schedules!;
    const nightly = { name: 'nightly', cron: '0 3 * * *', timeZone: 'Europe/Vienna' };
    const slow = { name: 'slow', cron: '* * * * *', timeZone: 'UTC' };
    const [three, nextNight] = [START + 30_000, START + 30_000 + 23 * 60 * MINUTE];
    expect(await seen()).toEqual([
      { ...slow, nextAt: three },
      { ...nightly, nextAt: nextNight },
    ]);
    await clock.advance(MINUTE);
    const [began] = await seen();
    expect(began).toEqual({ ...slow, nextAt: three + MINUTE, last: { at: three, outcome: 'begun' } });
    await clock.advance(MINUTE);
    const [left] = await seen();
    expect(left!.last).toEqual({ at: three + MINUTE, outcome: 'overlapping' });
    gates.open('end');
    await clock.advance(0);
  });

  it('shows none where it runs none', async () => {
    class Jobs {
      @Scheduled('* * * * *') run() {}
    }
    process.env['TOOLWRIGHT_SCHEDULES'] = 'off';
    await start(Jobs);
    expect((await server!.operate('ann').state()).schedules).toEqual([]);
  });
});
