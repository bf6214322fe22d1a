import { contestants } from '../contestants/catalogue.js';
import type { Run, Workload } from '../workloads/workload.js';
import { compare } from './compare.js';

/** A workload that writes down who starts, takes a turn and stops; the head costs twice as much. */
function recorded() {
  const events: string[] = [];
  const workload = {
    dialectOf: () => 'modern',
    enter: async (_contestant, _dialect, { place }) => {
      const side = place.app!;
      events.push(`start ${side}`);
      return {
        sample: async () => {
          events.push(side);
          return { cpu: side === 'head' ? 200 : 100 };
        },
        stop: async () => void events.push(`stop ${side}`),
      };
    },
  } as Partial<Workload> as Workload;
  return { workload, events };
}

const side = (app: string) => ({ place: { app }, warmUps: 1, log: () => undefined }) as unknown as Run;

test('each block starts both anew, warms them up, and lets them take turns so that a drift meets both alike', async () => {
  const { workload, events } = recorded();
  const question = { workload, contestant: contestants[0]! };
  const blocks = await compare(question, { base: side('base'), head: side('head') }, 2);
  const block = (a: string, b: string) => [
    `start ${a}`,
    `start ${b}`,
    a,
    b,
    a,
    b,
    b,
    a,
    a,
    b,
    b,
    a,
    `stop ${a}`,
    `stop ${b}`,
  ];
  expect(events).toEqual([...block('base', 'head'), ...block('head', 'base')]);
  const turns = { base: [100, 100, 100, 100], head: [200, 200, 200, 200] };
  expect(blocks).toEqual([turns, turns]);
});
