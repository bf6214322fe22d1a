import { Cache, MaxOutput } from '@toolwright/core';
import { MARK, SECRET } from '../marks.js';
import { must } from '../table.js';
import type { Judge, World } from '../world.js';

const rows = { type: 'array', items: { type: 'string' } };
const LIMIT = 700;
/** A cut result has a note with a cursor, and perhaps a link. */
const BESIDE = 3_000;

const hasNoMethod = ({ way }: World) => ['show', 'watch'].includes(way.does);

/** What decides about results. */
export const output: readonly Judge[] = [
  {
    name: 'the cache',
    covers: ['cache'],
    needs: ['caller', 'operation'],
    prepare: () => ({ uses: [[Cache, { ttl: '1h' }]] }),
    async check(world) {
      await world.mustReach();
      const { runs } = world;
      await world.mustReach();
      // What a person has answered counts for one call.
      if (world.way.asksItself) return must(world.runs > runs, 'keeps what depends on an answer');
      if (world.way.does === 'call') must(world.runs === runs, 'runs again');
      await world.mustReach('abroad');
      if (world.way.does === 'call') must(world.runs > runs, 'gives a result to somebody else');
    },
  },
  {
    name: 'the budget of results',
    covers: ['output', 'continue'],
    needs: ['caller', 'operation'],
    outside: 'The budget is for models, and a program gets results whole. Its own result has the budget.',
    prepare: () => ({ uses: [[MaxOutput, { bytes: LIMIT }]], run: () => `${MARK} `.repeat(2_000) }),
    async check(world) {
      // What lists show, and how a task is, is no result.
      if (world.way.does !== 'call') return void (await world.mustReach());
      const { isReached, text } = await world.go();
      // Prompts and resources are never cut.
      must(isReached === (world.way.kind === 'tool'), `ends otherwise: ${text.slice(0, 200)}`);
      // The rest is read in one piece.
      if (!world.way.name.startsWith('the link'))
        must(text.length < LIMIT + BESIDE, `has ${text.length} characters`);
    },
  },
  {
    name: 'the schema of results',
    covers: ['output'],
    needs: ['caller', 'operation', 'structured'],
    prepare: () => ({
      options: { output: { undeclared: 'drop' } },
      output: {
        type: 'object',
        properties: { mark: { type: 'string' }, rows },
        required: ['mark'],
        additionalProperties: false,
      },
      run: () => ({ mark: MARK, leak: SECRET }),
    }),
    async check(world) {
      const { text } = await world.mustReach();
      must(!text.includes(SECRET), 'passes on what is not declared');
    },
  },
  {
    name: 'hidden characters',
    covers: ['output'],
    needs: ['caller', 'operation'],
    prepare: () => ({ run: () => `${MARK} \u{e0041}\u{e0042}` }),
    async check(world) {
      const { text } = await world.mustReach();
      const isCleaned = world.way.kind === 'tool' || world.way.kind === 'prompt';
      if (isCleaned && world.way.does === 'call')
        must(!/[\u{e0000}-\u{e007f}]/u.test(text), 'passes on hidden characters');
    },
  },
  {
    name: 'errors',
    covers: ['errors'],
    needs: ['operation'],
    prepare: (world) => ({
      run() {
        if (world.isAllowed) return MARK;
        throw new Error(`internal detail ${SECRET}`);
      },
    }),
    async check(world) {
      await world.mustReach();
      const begun = await world.begin();
      world.isAllowed = false;
      const { isReached, text } = await world.way.reach(world, 'ann', begun);
      const runsNothing = hasNoMethod(world) || world.way.does === 'handle';
      must(isReached === runsNothing, `ends otherwise: ${text.slice(0, 200)}`);
      if (world.way.does !== 'clock') must(!text.includes(SECRET), 'shows internal text');
    },
  },
];
