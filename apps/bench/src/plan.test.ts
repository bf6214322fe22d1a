import { contestants } from './contestants/catalogue.js';
import { readOptions } from './options.js';
import { estimateMinutes, planOf } from './plan.js';
import { bars, workloadsOf } from './report/bars.js';
import { workloads } from './workloads/catalogue.js';
import { published } from './workloads/published.js';

const nodes = 2;

test('publishing is planned to end within 24 minutes on two versions of Node.js', () => {
  const options = readOptions(['--publish']);
  expect(estimateMinutes(planOf(options), options, nodes)).toBeLessThan(24);
  const all = readOptions([]);
  expect(estimateMinutes(planOf(all), all, nodes)).toBeGreaterThan(60);
});

test('what is published exists', () => {
  const names = workloads.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(published)));
  const known = contestants.map(({ name }) => name);
  expect(known).toEqual(expect.arrayContaining(Object.values(published).flat()));
});

test('every bar is measured when publishing', () => {
  const plan = planOf(readOptions(['--publish']));
  const missing = bars.filter((bar) => {
    const { contestant, to = contestant } = bar;
    return workloadsOf(bar).some((wanted) => {
      const planned = plan.find(({ workload }) => workload.name === wanted);
      const names = planned?.contestants.map(({ name }) => name) ?? [];
      return !names.includes(contestant) || !names.includes(to);
    });
  });
  expect(missing).toEqual([]);
});

test('every bar names a figure that its workloads have', () => {
  const missing = bars.filter((bar) =>
    workloadsOf(bar).some((wanted) => {
      const workload = workloads.find(({ name }) => name === wanted);
      return !workload?.metrics.some(({ name }) => name === bar.metric);
    }),
  );
  expect(missing).toEqual([]);
});

test('contestants named on the command line take part wherever they can, also when publishing', () => {
  const options = readOptions(['--publish', '--workloads', 'call-dto', '--contestants', 'node-http']);
  const [planned] = planOf(options);
  expect(planned!.contestants.map(({ name }) => name)).toEqual(['node-http']);
});
