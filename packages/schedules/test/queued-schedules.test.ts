import type { ToolContext } from '@toolwright/core';
import type { MemoryTaskQueue } from '@toolwright/testing';
import { Scheduled } from '@toolwright/schedules';
import { settled } from '../../core/test/support/fake-clock.js';
import { queueFleet, stopQueueFleet, type QueueFleet } from '../../core/test/support/queue-fleet.js';

const MINUTE = 60_000;

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

/** When something ran, by the clock of the test. */
const note = (what: string) =>
  void fleet.acts.push(`${what} ${new Date(fleet.clock.now()).toISOString().slice(11, 19)}`);

class Jobs {
  @Scheduled('* * * * *', { name: 'jobs' }) run(ctx: ToolContext) {
    note('run');
    ctx.log.info('runs');
  }
}

class Slow {
  @Scheduled('* * * * *', { name: 'slow', rerun: true }) async run({ signal, once }: ToolContext) {
    const step = await once('step', () => (note('step'), 'of the first'));
    note(`begins ${step}`);
    await fleet.gates.wait('end', signal);
    note('ends');
  }
}

const processes = async (service: unknown, ...concurrency: number[]) => {
  const servers = [];
  for (const each of concurrency) servers.push(await fleet.start(each, [], { services: [service as never] }));
  return servers;
};
/** What processes that start from now on ask of the queue. */
const watchTicks = () => {
  const enqueueTick = jest.fn((...tick: Parameters<MemoryTaskQueue['enqueueTick']>) =>
    fleet.queue.enqueueTick(...tick),
  );
  fleet.odd = { enqueueTick };
  return enqueueTick;
};
/** The task of the run that began. */
const taskOf = ({ mock }: ReturnType<typeof watchTicks>) =>
  mock.calls[mock.results.findIndex(({ value }) => value === 'begun')]![1];
const logged = (heard: RegExp) => fleet.logger.lines.filter(({ message }) => heard.test(message));

describe('a schedule on a task queue', () => {
  it('runs once at each of its times, whichever of many processes begins it', async () => {
    await processes(Jobs, 0, 0, 2, 2);
    await fleet.clock.advance(3 * MINUTE);
    expect(fleet.acts).toEqual(['run 08:01:00', 'run 08:02:00', 'run 08:03:00']);
    expect(logged(/^runs$/)).toHaveLength(3);
    expect(fleet.sink.records.map(({ event }) => [event.operation, event.name, event.outcome])).toEqual(
      Array(3).fill(['schedule', 'jobs', 'ok']),
    );
    expect(fleet.sink.records[0]!.event).toMatchObject({ principal: null, client: { name: 'test' } });
  });

  it('is one of this server, and other servers of the queue have their own', async () => {
    const seen = watchTicks();
    await fleet.start(1, [], { services: [Jobs] });
    await fleet.start(0, [], { services: [Jobs], name: 'other' });
    seen.mockClear();
    await fleet.clock.advance(MINUTE);
    expect(seen.mock.calls.map(([{ key }]) => key).sort()).toEqual(['other/jobs', 'test/jobs']);
    expect(seen.mock.results.map(({ value }) => value as string)).toEqual(['begun', 'begun']);
  });

  it('is made up by a process that starts a moment too late, and only once', async () => {
    const [first] = await processes(Jobs, 1);
    await fleet.clock.advance(MINUTE);
    const closing = first!.close(0);
    await fleet.clock.advance(0);
    await closing;
    await fleet.clock.advance(MINUTE + 20_000);
    expect(fleet.acts).toEqual(['run 08:01:00']);
    await processes(Jobs, 1, 1);
    await settled();
    expect(fleet.acts).toEqual(['run 08:01:00', 'run 08:02:20']);
  });

  it('does not run for a time before its first release', async () => {
    await fleet.clock.advance(20_000);
    await processes(Jobs, 1, 1);
    await settled();
    expect(fleet.acts).toEqual([]);
    await fleet.clock.advance(40_000);
    expect(fleet.acts).toEqual(['run 08:01:00']);
  });

  it('leaves a time out while the run before goes on anywhere', async () => {
    await processes(Slow, 1, 1);
    await fleet.clock.advance(3 * MINUTE);
    expect(fleet.acts).toEqual(['step 08:01:00', 'begins of the first 08:01:00']);
    expect(logged(/still goes on/)).toHaveLength(2);
    fleet.gates.open('end');
    await fleet.clock.advance(MINUTE);
    expect(fleet.acts.at(-1)).toBe('ends 08:04:00');
  });

  it('continues behind its last step when its process is lost', async () => {
    const ticks = watchTicks();
    await processes(Slow, 1, 1);
    await fleet.clock.advance(MINUTE);
    const { id } = taskOf(ticks);
    expect(fleet.queue.loseRun(id)).toBe(true);
    await settled();
    fleet.gates.open('end');
    await settled();
    expect(fleet.acts).toEqual([
      'step 08:01:00',
      'begins of the first 08:01:00',
      'begins of the first 08:01:00',
      'ends 08:01:00',
    ]);
  });

  describe('goes by the clock of the queue', () => {
    /** A process whose clock is that of the test, moved. */
    const startWithClock = (aheadMs: number) => {
      const { clock } = fleet;
      const own = { now: () => clock.now() + aheadMs, after: clock.after.bind(clock) };
      return fleet.start(1, [], { services: [Jobs as never], ports: { clock: own } });
    };

    it('when the clock of a process is ahead', async () => {
      await startWithClock(30_000);
      await startWithClock(0);
      await fleet.clock.advance(2 * MINUTE);
      expect(fleet.acts).toEqual(['run 08:01:00', 'run 08:02:00']);
      expect(logged(/could begin it in time/)).toEqual([]);
    });

    it('when the clocks of all processes are behind', async () => {
      await startWithClock(-20_000);
      await startWithClock(-30_000);
      await fleet.clock.advance(2 * MINUTE);
      expect(fleet.acts).toEqual(['run 08:01:00', 'run 08:02:00']);
    });

    it('when the clock of a process is set while it waits', async () => {
      let aheadMs = 0;
      const { clock } = fleet;
      const own = { now: () => clock.now() + aheadMs, after: clock.after.bind(clock) };
      await fleet.start(1, [], { services: [Jobs as never], ports: { clock: own } });
      await fleet.clock.advance(MINUTE);
      aheadMs = 45_000;
      await fleet.clock.advance(2 * MINUTE);
      expect(fleet.acts).toEqual(['run 08:01:00', 'run 08:02:00', 'run 08:03:00']);
    });
  });

  it('retries as its options say, and tells and counts every failure', async () => {
    class Failing {
      @Scheduled('0 * * * *', { name: 'failing', retries: 1, backoff: '1s' }) run() {
        note('run');
        throw new Error('out of paper');
      }
    }
    await processes(Failing, 1);
    await fleet.clock.advance(62 * MINUTE);
    expect(fleet.acts).toHaveLength(2);
    expect(logged(/A scheduled run failed/)).toMatchObject([
      { fields: { schedule: 'failing', due: '2027-01-15T09:00:00.000Z' } },
      { fields: { schedule: 'failing' } },
    ]);
    expect(fleet.queue.load()).toMatchObject({ waiting: 0, dead: 1 });
  });

  it('waits for a worker that has it, while a release is rolled out', async () => {
    await fleet.start(1, []);
    await processes(Jobs, 0);
    await fleet.clock.advance(MINUTE);
    expect(fleet.acts).toEqual([]);
    expect(fleet.queue.load().dead).toBe(0);
    const [old] = fleet.running();
    const closing = old!.close(0);
    await fleet.clock.advance(0);
    await closing;
    await processes(Jobs, 1);
    await fleet.clock.advance(10_000);
    expect(fleet.acts).toEqual(['run 08:01:00']);
  });

  it('is begun as soon as the queue answers again, if that is not too late', async () => {
    let isAway = false;
    fleet.odd = {
      enqueueTick(...tick) {
        if (isAway) throw new Error('away');
        return fleet.queue.enqueueTick(...tick);
      },
    };
    await processes(Jobs, 1);
    isAway = true;
    await fleet.clock.advance(MINUTE + 10_500);
    isAway = false;
    await fleet.clock.advance(20_000);
    expect(fleet.acts).toEqual(['run 08:01:11']);
    isAway = true;
    await fleet.clock.advance(90_000);
    expect(logged(/could begin it in time/)).toMatchObject([{ fields: { due: '2027-01-15T08:02:00.000Z' } }]);
  });

  it('is nobody’s task: no client sees it', async () => {
    const ticks = watchTicks();
    fleet.web = await fleet.start(0, [{ name: 'work', handler: () => 'done' }], { services: [Jobs] });
    await fleet.clock.advance(MINUTE);
    const { id, owner } = taskOf(ticks);
    expect(owner).toBe('schedules');
    const { error } = await fleet.client().request('tasks/get', { taskId: id });
    expect(error).toMatchObject({ code: -32602 });
  });
});
