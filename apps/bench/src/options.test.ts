import { readOptions } from './options.js';

test('by default everything runs, on two versions of Node.js, for seven rounds', () => {
  const options = readOptions([]);
  expect(options).toMatchObject({ nodes: ['current', '24'], rounds: 7, sessions: 10_000, streams: 1_000 });
  expect(options.publish).toBe(false);
});

test('workloads and contestants can be picked', () => {
  const { workloads, contestants } = readOptions(['--workloads', 'stdio,call-10', '--contestants', 'sdk-v2']);
  expect(workloads.map(({ name }) => name)).toEqual(['stdio', 'call-10']);
  expect(contestants.map(({ name }) => name)).toEqual(['sdk-v2']);
});

test.each<[string[], RegExp]>([
  [['--workloads', 'nothing'], /unknown name "nothing"; known: call-10, /],
  [['--rounds', '0'], /"0" is not a whole number from 1/],
  [['--round', '3'], /Unknown option/],
])('%j is refused', (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
