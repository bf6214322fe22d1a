import { queueFleet, stopQueueFleet, type QueueFleet } from '../support/queue-fleet.js';

let fleet: QueueFleet;
beforeEach(() => void (fleet = queueFleet()));
afterEach(stopQueueFleet);

const logged = (heard: RegExp) => fleet.logger.lines.filter(({ message }) => heard.test(message));

describe('a process that puts tasks on a queue', () => {
  const warnings = () => logged(/works on none of them/);

  it('warns when nobody has said who works', async () => {
    await fleet.start(0, []);
    await fleet.clock.advance(1_000);
    expect(warnings()).toMatchObject([{ level: 'warn', fields: { option: 'tasks.concurrency' } }]);
    expect(warnings()[0]!.message).toMatch(/toolwright-operate worker.*or set tasks\.concurrency/);
  });

  it('does not warn when it works, or when its options say that others do', async () => {
    await fleet.start(1, []);
    await fleet.start(0, [], { tasks: { concurrency: 0 } });
    await fleet.start(0, [], { tasks: { concurrency: 3 } });
    await fleet.clock.advance(5_000);
    expect(warnings()).toEqual([]);
  });
});
