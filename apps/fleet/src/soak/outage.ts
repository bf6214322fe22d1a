import type { Fleet } from '../fleet.js';
import { Traffic } from '../load/traffic.js';
import { quantile, type Figure, type Scenario } from './scenario.js';

const CALLS = 4_000;

/** How long calls take while Redis is away, against before. */
export const outage: Scenario = {
  name: 'Redis away',
  async run(fleet, quick) {
    const calls = quick ? 300 : CALLS;
    await measure(fleet, calls);
    const figures: Figure[] = [];
    for (const [how, goes, comes] of [
      ['killed', 'kill', 'launch'],
      ['silent', 'pause', 'resume'],
    ] as const) {
      const before = await measure(fleet, calls);
      await fleet.redis[goes]();
      // Until a replica has noticed, each question to Redis waits for its 50 ms.
      const noticing = await measure(fleet, calls);
      const during = await measure(fleet, calls);
      await fleet.redis[comes]();
      const after = await measure(fleet, calls);
      figures.push(
        { name: `${how}: p99 before`, value: before.p99, unit: 'ms' },
        { name: `${how}: p99 of the first ${calls} calls`, value: noticing.p99, unit: 'ms' },
        { name: `${how}: p99 of the next ${calls} calls`, value: during.p99, unit: 'ms' },
        { name: `${how}: that as a multiple of before`, value: during.p99 / before.p99, atMost: 1.5 },
        {
          name: `${how}: calls lost`,
          value: before.lost + noticing.lost + during.lost + after.lost,
          atMost: 0,
        },
      );
    }
    return figures;
  },
};

async function measure({ url }: Fleet, calls: number) {
  const traffic = Traffic.start(url, { lanes: 4, tool: 'counted_echo', arguments: { text: 'x' } });
  await traffic.served(calls);
  await traffic.stop();
  return { p99: quantile(traffic.latencies, 0.99), lost: traffic.lost.length };
}
