import { judge, type Block } from './verdict.js';
import { BLOCKS, PAIRS } from './compare.js';

/** A small generator with a seed, so that each run of the test sees the same noise (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Noise as shared machines make it: each process is luckier or less lucky by 1 %, each pair of turns finds
 * the machine in another state, each turn differs by 3 %, and one turn in twenty is disturbed by up to 20 %.
 */
function measured(slowdown: number, seed: number): Block[] {
  const random = randomFrom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: BLOCKS }, () => {
    const luck = { base: 1 + 0.01 * normal(), head: (1 + slowdown) * (1 + 0.01 * normal()) };
    const turn = (cost: number) => cost * (1 + 0.03 * normal()) * (random() < 0.05 ? 1 + 0.2 * random() : 1);
    const states = Array.from({ length: PAIRS }, () => 100 * (1 + 0.3 * random()));
    return {
      base: states.map((state) => turn(state * luck.base)),
      head: states.map((state) => turn(state * luck.head)),
    };
  });
}

const RUNS = 400;

function shareFailed(slowdown: number): number {
  const failed = Array.from({ length: RUNS }, (_, seed) => judge(measured(slowdown, seed)).failed);
  return failed.filter(Boolean).length / RUNS;
}

test('a slowdown of 7 % is found in at least 95 of 100 runs', () => {
  expect(shareFailed(0.07)).toBeGreaterThanOrEqual(0.95);
});

test('equal programs fail in at most 1 of 100 runs, and so do programs that are 2 % slower or 10 % faster', () => {
  expect(shareFailed(0)).toBeLessThanOrEqual(0.01);
  expect(shareFailed(0.02)).toBeLessThanOrEqual(0.01);
  expect(shareFailed(-0.1)).toBe(0);
});

test('a large difference in few of the blocks is noise', () => {
  const blocks = Array.from({ length: 10 }, (_, index) => ({ base: [100], head: [index < 4 ? 150 : 99] }));
  expect(judge(blocks).failed).toBe(false);
});

test('the slowdown is that of the programs, whatever the machine does to both', () => {
  const blocks = Array.from({ length: 10 }, (_, index) => ({
    base: [100 * (index + 1)],
    head: [110 * (index + 1)],
  }));
  expect(judge(blocks)).toMatchObject({ slowdown: expect.closeTo(0.1), chance: 1 / 1024, failed: true });
});
