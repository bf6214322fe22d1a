import { setTimeout as wait } from 'node:timers/promises';
import { Database } from '../src/database.js';
import { describeFleet } from './support/describe-fleet.js';

describeFleet('Schedules of a fleet', { replicas: 2, workers: 2, environment: { BEATS: '1' } }, (test) => {
  let database: Database;
  beforeAll(() => {
    database = new Database(test.fleet.postgres.url);
  });
  afterAll(() => database?.[Symbol.asyncDispose]());

  it('Every tick runs once over all processes, while they are killed, stopped and started', async () => {
    const { replicas, workers } = test.fleet;
    for (const kill of [replicas[0]!, workers[0]!, replicas[1]!]) {
      await wait(2_000);
      await kill.kill();
      await kill.launch();
    }
    await wait(1_000);
    await workers[1]!.stop();
    await workers[1]!.launch();
    await wait(2_000);
    for (const each of [...replicas, ...workers]) await each.stop();
    const { first, last, ran, twice, begun, overlapping } = await database.countBeats();
    const ticks = (last - first) / 1_000 + 1;
    expect(ticks).toBeGreaterThan(8);
    expect(twice).toBe(0);
    // Each tick began a run, or was left out while the run before had to be found lost. A machine that is busy with other
    // work may pass over one: a tick that is over is not made up for.
    expect(begun + overlapping).toBeLessThanOrEqual(ticks);
    expect(begun + overlapping).toBeGreaterThanOrEqual(ticks - 1);
    // The last run may have been given back when the processes stopped.
    expect(begun - ran).toBeLessThanOrEqual(1);
  });
});
