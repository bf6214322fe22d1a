import { randomUUID } from 'node:crypto';
import { callTool } from '../load/wire.js';
import type { Scenario } from './scenario.js';

const POINTS = 50;
const WINDOW_MS = 10_000;
const CALLS = 75;

/** A limit of N is N in every window, over all replicas together. */
export const limits: Scenario = {
  name: 'limits',
  async run({ url, replicas }, quick) {
    let over = 0;
    let under = 0;
    let windows = 0;
    const rounds = quick ? 2 : 20;
    for (let round = 0; round < rounds; round++) {
      const users = Array.from({ length: 6 }, () => randomUUID());
      await Promise.all(
        users.map(async (user) => {
          const start = performance.now();
          const answers = await Promise.all(
            Array.from({ length: CALLS }, () => callTool(url, 'limited', {}, { user })),
          );
          // A machine that is too slow for all calls in one window has measured nothing.
          if (performance.now() - start > WINDOW_MS) return;
          const served = answers.filter(({ message }) => message?.result && !message.result.isError).length;
          windows++;
          over += Math.max(0, served - POINTS);
          under += Math.max(0, POINTS - served);
        }),
      );
    }
    const outages = replicas.filter(({ output }) => output.includes('does not answer')).length;
    return [
      { name: `windows of ${POINTS} points, ${CALLS} calls each`, value: windows },
      { name: 'points too many', value: (100 * over) / (windows * POINTS), unit: '%', atMost: 0 },
      { name: 'points too few', value: (100 * under) / (windows * POINTS), unit: '%', atMost: 1 },
      { name: 'replicas that took Redis for away meanwhile', value: outages },
    ];
  },
};
