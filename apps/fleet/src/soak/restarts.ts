import { Traffic } from '../load/traffic.js';
import { callTool, openSession } from '../load/wire.js';
import type { Fleet } from '../fleet.js';
import type { Scenario } from './scenario.js';

const LANES = 12;

async function openSessions({ url }: Fleet, count: number) {
  const users = Array.from({ length: count }, (_, index) => `user-${index}`);
  return Promise.all(users.map(async (user) => ({ user, session: await openSession(url, user) })));
}

/** A rolling restart under load. */
export const rollingRestart: Scenario = {
  name: 'rolling restart',
  async run(fleet, quick) {
    const traffic = Traffic.start(fleet.url, { lanes: LANES, sessions: await openSessions(fleet, 30) });
    const rounds = quick ? 1 : 5;
    for (let round = 0; round < rounds; round++) {
      for (const replica of fleet.replicas) {
        await traffic.served(500);
        await replica.stop();
        await traffic.served(200);
        await replica.launch();
      }
    }
    await traffic.served(500);
    await traffic.stop();
    for (const fault of traffic.lost.slice(0, 3)) console.log(`  lost: ${fault.slice(0, 200)}`);
    return [
      { name: 'restarts', value: rounds * fleet.replicas.length },
      { name: 'calls', value: traffic.count },
      { name: 'calls lost', value: traffic.lost.length, atMost: 0 },
    ];
  },
};

/** Replicas are killed under load. */
export const kills: Scenario = {
  name: 'kill -9',
  async run(fleet, quick) {
    const sessions = await openSessions(fleet, 100);
    const traffic = Traffic.start(fleet.url, { lanes: LANES, sessions });
    let stranded = 0;
    let killed = 0;
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      for (const replica of fleet.replicas) {
        await traffic.served(300);
        await replica.kill();
        killed++;
        await traffic.served(100);
        for (const { session, user } of sessions) {
          const { status } = await callTool(fleet.url, 'whoami', {}, { session, user });
          if (status !== 200) stranded++;
        }
        await replica.launch();
      }
    }
    await traffic.stop();
    return [
      { name: 'replicas killed', value: killed },
      { name: `sessions stranded, of ${sessions.length} after each kill`, value: stranded, atMost: 0 },
      { name: `calls that were under way and are lost, of ${traffic.count}`, value: traffic.lost.length },
    ];
  },
};
