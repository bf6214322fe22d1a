import { Concurrency, RateLimit, Timeout, type ServerOptions } from '@toolwright/core';
import { settle } from '../wire.js';
import { MARK } from '../marks.js';
import { must, type Reached } from '../table.js';
import type { Judge, Preparation, World } from '../world.js';

/** What shows or watches an operation uses nothing of its limits. */
const isFree = ({ way }: World) => ['show', 'watch', 'handle', 'file'].includes(way.does);

async function isFreeOfCharge(world: World): Promise<void> {
  const begun = await world.begin();
  // The tools of the search have points of their own.
  const times = world.plan.options?.rateLimit && world.way.options ? 1 : 3;
  for (let time = 0; time < times; time++) {
    const { isReached, text } = await world.way.reach(world, 'ann', begun);
    must(isReached, `costs something: ${text.slice(0, 200)}`);
  }
}

/** A way with two steps pays for both of them. */
const stepsOf = ({ way }: World) => (way.begin && !way.asksItself ? 2 : 1);

/** Completions are counted apart, by the limit of the server (ADR 30). */
const hasNoPoints = (world: World) => isFree(world) || world.way.does === 'complete';

const points = (
  name: string,
  prepare: (world: World) => Preparation,
  free: (world: World) => boolean,
): Judge => ({
  name,
  covers: ['rate limit'],
  needs: ['caller', 'operation'],
  prepare,
  async check(world) {
    if (free(world)) return isFreeOfCharge(world);
    await world.mustReach();
    const { runs } = world;
    const { isReached, text } = await world.go();
    must(!isReached, 'is not limited');
    must(/[Rr]ate limited|429/.test(text), `is refused otherwise: ${text.slice(0, 200)}`);
    must(world.runs === runs, 'runs code of the author');
  },
});

const held = (world: World) => world.gates.wait('gate', new AbortController().signal).then(() => MARK);

/** What is on a queue is not refused: it waits for the slot. */
async function waits(world: World, running: Promise<Reached>): Promise<void> {
  const { runs } = world;
  const second = world.way.reach(world, 'ann', undefined);
  await settle(20);
  must(world.runs === runs, 'has a slot too many');
  world.gates.open('gate');
  must((await running).isReached, 'does not end');
  await world.clock.advance(60_000);
  must((await second).isReached, 'never gets the slot');
}

const slots = (name: string, covers: string, prepare: (world: World) => Preparation): Judge => ({
  name,
  covers: [covers],
  needs: ['caller', 'operation'],
  prepare,
  async check(world) {
    const completes = world.way.does === 'complete' && covers === 'concurrency of the tool';
    if (isFree(world) || completes) return void (completes || (await isFreeOfCharge(world)));
    const [first, second] = [await world.begin(), await world.begin()];
    world.notes['isHeld'] = true;
    const running = world.way.reach(world, 'ann', first);
    await world.held(running);
    if (world.way.isQueued) return waits(world, running);
    const { isReached, text } = await world.way.reach(world, 'ann', second);
    must(!isReached, 'has a slot too many');
    must(/run or wait already/.test(text), `is refused otherwise: ${text.slice(0, 200)}`);
    world.gates.open('gate');
    must((await running).isReached, 'does not end');
  },
});

const holding = (world: World): Preparation => ({ run: () => (world.notes['isHeld'] ? held(world) : MARK) });

const quota = (world: World): Partial<ServerOptions> => ({ rateLimit: { points: stepsOf(world) } });

/** What bounds how much a caller may do. */
export const limits: readonly Judge[] = [
  points(
    'points of the tool',
    (world) => ({ uses: [[RateLimit, { points: stepsOf(world), per: '1h' }]] }),
    hasNoPoints,
  ),
  points('points of the server', (world) => ({ options: quota(world) }), isFree),
  slots('slots of the tool', 'concurrency of the tool', (world) => ({
    ...holding(world),
    uses: [[Concurrency, { max: 1, queue: 0 }]],
  })),
  slots('slots of the server', 'concurrency', (world) => ({
    ...holding(world),
    options: { concurrency: { perPrincipal: 1, queue: 0 } },
  })),
  {
    name: 'the deadline',
    covers: ['deadline'],
    needs: ['operation'],
    prepare: (world) => ({ ...holding(world), uses: [[Timeout, '1m']] }),
    async check(world) {
      if (isFree(world)) return isFreeOfCharge(world);
      const begun = await world.begin();
      world.notes['isHeld'] = true;
      const running = world.way.reach(world, 'ann', begun);
      await world.held(running);
      await world.clock.advance(61_000);
      const { isReached, text } = await running;
      must(!isReached, 'has no deadline');
      must(
        world.way.does === 'clock' || text.includes('did not finish'),
        `ends otherwise: ${text.slice(0, 200)}`,
      );
    },
  },
];
