import { findFactoryProblem } from './link-problems.js';

const noop = (..._: unknown[]): number => 0;

test.each<[what: string, factory: (...dependencies: never[]) => unknown, injected: number]>([
  ['no parameters and nothing injected', () => 0, 0],
  ['as many parameters as dependencies', (one: unknown, two: unknown) => noop(one, two), 2],
  ['a single parameter without parentheses', new Function('return one => one')() as () => unknown, 1],
  ['a rest parameter', (...all: unknown[]) => noop(all), 3],
  ['a default', (one: unknown, two = noop(1)) => noop(one, two), 2],
  ['a destructured default', ({ a = 1 }: { a?: number } = {}) => a, 1],
  ['a bound function', noop.bind(undefined), 2],
  ['a function that reads its arguments', new Function('return arguments.length') as () => unknown, 2],
  ['a method', { make(one: unknown) { return one; } }.make, 1],
])('%s match', (_, factory, injected) => {
  expect(findFactoryProblem(factory, injected)).toBeUndefined();
}); // prettier-ignore

test.each<[what: string, factory: (...dependencies: never[]) => unknown, injected: number]>([
  ['has 1 parameter, and inject lists nothing', (one: unknown) => one, 0],
  ['has 2 parameters, and inject lists 1 dependency', (one: unknown, two: unknown) => noop(one, two), 1],
  ['has 0 parameters, and inject lists 2 dependencies', () => noop((1 + 1) as number), 2],
  [
    'has 1 parameter, and inject lists 2 dependencies',
    new Function('return one => one')() as () => unknown,
    2,
  ],
  ['has 1 parameter, and inject lists nothing', (one: unknown, two = 1) => noop(one, two), 0],
])('a factory that %s is refused', (problem, factory, injected) => {
  expect(findFactoryProblem(factory, injected)).toBe(problem);
});
