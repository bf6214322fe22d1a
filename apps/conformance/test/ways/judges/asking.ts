import { Confirm, definePolicy } from '@toolwright/core';
import { extend, type Approval } from '@toolwright/core/extend';
import { must, type Use } from '../table.js';
import type { Judge, Way, World } from '../world.js';

/** A page that answers by itself, in place of a person. */
const page = (world: World) => ({
  name: 'ways approvals',
  start: () => ({
    approve: async ({ call }: Approval) => {
      world.notes['approvals'] = Number(world.notes['approvals'] ?? 0) + 1;
      return world.decision === 'accept'
        ? { approvedBy: [call.request.principal!] }
        : { refused: 'refused' as const, text: 'A person said no.' };
    },
  }),
});

/** What only shows, watches or completes asks nobody. */
const asksNobody = ({ way }: World) => way.does !== 'call';

const asks = (
  name: string,
  uses: (world: World) => readonly Use[],
  asked: (world: World) => number,
): Judge => ({
  name,
  covers: ['confirm', 'question'],
  needs: ['caller', 'operation'],
  prepare: (world) => ({ uses: uses(world), started: () => extend(world.server, page(world)) }),
  async check(world) {
    const before = asked(world);
    await world.mustReach();
    const times = asked(world) - before;
    if (asksNobody(world)) return must(times === 0 || world.way.does === 'handle', `asks ${times} times`);
    // A result in parts, and a call in rounds, is one call.
    must(times === 1, `asks ${times} times`);
    const begun = world.way.isLong ? undefined : await world.begin();
    if (world.way.isLong) return;
    world.decision = 'decline';
    const { runs } = world;
    const { isReached } = await world.way.reach(world, 'ann', world.way.asksItself ? undefined : begun);
    must(!isReached && world.runs === runs, 'runs although a person said no');
  },
});

/** Tools of this server do. In the older era a client that asks for a task can follow it. */
const takesTasks = ({ kind, does, has, name }: Way, era: string) =>
  kind === 'tool' &&
  does === 'call' &&
  has.has('context') &&
  !(era === '2025-11-25' && name.startsWith('a task'));

/** What waits for a person, or for work that goes on. */
export const asking: readonly Judge[] = [
  asks(
    'confirm',
    () => [[Confirm, 'Sure?']],
    ({ questions, way }) => (way.asksItself ? Math.ceil(questions / 2) : questions),
  ),
  asks(
    'approval on a page',
    (world) => [
      [definePolicy('approving', { parse: () => true, extension: page(world) }) as never],
      [Confirm, 'Sure?', { by: 'page' }],
    ],
    ({ notes }) => Number(notes['approvals'] ?? 0),
  ),
  {
    name: 'calls of earlier rounds',
    covers: ['recorded'],
    needs: ['caller', 'operation'],
    prepare: () => ({}),
    async check(world) {
      await world.mustReach();
      const { way, runs } = world;
      if (!way.reachAndAsk) return;
      const { isReached, text } = await way.reachAndAsk(world);
      must(isReached, `ends otherwise: ${text.slice(0, 200)}`);
      must(world.runs === runs + 1, 'is made again in the next round');
    },
  },
  {
    name: 'tasks',
    covers: ['task', 'task client'],
    needs: ['caller', 'operation'],
    outside: 'A program waits for the end of a task, so its client need not follow one.',
    prepare: ({ way, era }) => (takesTasks(way, era) ? { definition: { task: 'required' } } : {}),
    async check(world) {
      const { way, era } = world;
      if (!takesTasks(way, era)) return void (await world.mustReach(way.does === 'handle' ? 'ann' : 'plain'));
      const { isReached, text } = await world.go('plain');
      must(!isReached && world.runs === 0, `runs for a client that follows no task: ${text.slice(0, 200)}`);
      const { isReached: isDone, text: begun } = await world.go();
      // A client of the older era has to ask for a task.
      must(
        isDone || begun.includes('"taskId"') || era === '2025-11-25',
        `becomes no task: ${begun.slice(0, 200)}`,
      );
    },
  },
];
