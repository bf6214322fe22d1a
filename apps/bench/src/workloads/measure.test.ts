import { contestants } from '../contestants/catalogue.js';
import { measure } from './measure.js';
import type { Run, Workload } from './workload.js';

const run = { warmUps: 1, rounds: 2, log: () => undefined } as unknown as Run & { node: string };
const field = contestants.slice(0, 3);
const [first, second, third] = field.map(({ name }) => name) as [string, string, string];

/** A workload that writes down what happens, and in which some contestants fail at some point. */
function recorded(failures: Record<string, 'enter' | 'sample'> = {}) {
  const events: string[] = [];
  const workload: Workload = {
    name: 'recorded',
    title: 'Recorded',
    metrics: [{ name: 'rate', unit: 'answers/s', better: 'higher' }],
    baseline: first,
    dialectOf: () => 'modern',
    enter: async ({ name }) => {
      if (failures[name] === 'enter') throw new Error('does not start');
      return {
        sample: async () => {
          events.push(name);
          if (failures[name] === 'sample') throw new Error('answers wrongly');
          return { rate: events.length };
        },
        stop: async () => void events.push(`stop ${name}`),
      };
    },
  };
  return { workload, events };
}

test('contestants take turns, and the warm-up does not count', async () => {
  const { workload, events } = recorded();
  const measurements = await measure(workload, field, run);
  const turn = [first, second, third];
  expect(events).toEqual([...turn, ...turn, ...turn, ...turn.map((name) => `stop ${name}`)]);
  expect(measurements.map(({ samples }) => samples.map(({ rate }) => rate))).toEqual([
    [4, 7],
    [5, 8],
    [6, 9],
  ]);
});

test('one that fails drops out with its problem; the others go on, and all are stopped', async () => {
  const { workload, events } = recorded({ [first]: 'enter', [second]: 'sample' });
  const [a, b, c] = await measure(workload, field, run);
  expect(a).toMatchObject({ problem: 'does not start', samples: [] });
  expect(b).toMatchObject({ problem: 'answers wrongly', samples: [] });
  expect(c).not.toHaveProperty('problem');
  expect(events).toEqual([second, third, third, third, `stop ${second}`, `stop ${third}`]);
});

test('expensive workloads limit their rounds', async () => {
  const { workload } = recorded();
  const [measurement] = await measure({ ...workload, roundsAtMost: 1 }, field, run);
  expect(measurement!.samples).toHaveLength(1);
});

test('workloads that need no warming up say so', async () => {
  const { workload, events } = recorded();
  await measure({ ...workload, warmUps: 0 }, field.slice(0, 1), run);
  expect(events).toEqual([first, first, `stop ${first}`]);
});
