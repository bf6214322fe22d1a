import { setTimeout as wait } from 'node:timers/promises';
import { Database } from '../database.js';
import type { Scenario } from './scenario.js';

/** How long a process runs before it is killed. */
const BETWEEN_MS = 8_000;

/** A schedule of every second, while replicas and workers are killed in turn. */
export const schedules: Scenario = {
  name: 'schedules',
  fleet: { workers: 3, environment: { BEATS: '1' } },
  async run(fleet, quick) {
    const kills = quick ? 2 : 24;
    const processes = [...fleet.replicas, ...fleet.workers];
    for (let kill = 0; kill < kills; kill++) {
      await wait(BETWEEN_MS);
      const killed = processes[kill % processes.length]!;
      await killed.kill();
      await killed.launch();
    }
    await wait(BETWEEN_MS);
    for (const each of processes) await each.stop();
    const database = new Database(fleet.postgres.url);
    const { first, last, ran, twice, repeated, begun, overlapping } = await database.countBeats();
    await database[Symbol.asyncDispose]();
    const ticks = (last - first) / 1_000 + 1;
    return [
      { name: 'processes', value: processes.length },
      { name: 'processes killed', value: kills },
      { name: 'ticks', value: ticks },
      { name: 'ticks that ran', value: ran },
      { name: 'ticks left out, because the run before was not known to be lost yet', value: overlapping },
      { name: 'ticks that nobody took', value: ticks - begun - overlapping, atMost: 0 },
      // The last run may have been given back when the processes stopped.
      { name: 'runs without their effect', value: Math.max(0, begun - ran - 1), atMost: 0 },
      { name: 'ticks with an effect twice, without a word', value: twice, atMost: 0 },
      { name: 'ticks with an effect repeated by a run that was told so', value: repeated },
    ];
  },
};
