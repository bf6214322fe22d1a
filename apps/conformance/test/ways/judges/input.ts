import { MARK } from '../marks.js';
import { must } from '../table.js';
import type { Judge, World } from '../world.js';

/** A schema of a library that makes other values: the form that Zod and its like have. */
const converting = {
  '~standard': {
    version: 1,
    vendor: 'ways',
    validate: ({ of }: { of: string }) => ({ value: { of: `${of}, converted` } }),
    jsonSchema: {
      input: () => ({ type: 'object', properties: { of: { type: 'string' } } }),
      output: () => ({ type: 'object', properties: { of: { type: 'string' } } }),
    },
  },
};

/** What the method has got. */
const kept = (world: World) => ({ run: ({ of }: { of?: unknown }) => ((world.notes['of'] = of), MARK) });

const dated = { of: { type: 'string', format: 'date-time' }, revive: { kind: 'date' } };

/** What checks and makes the arguments. */
export const input: readonly Judge[] = [
  {
    name: 'validation',
    covers: ['validate'],
    needs: ['operation', 'arguments', 'schema'],
    prepare: (world) => ({
      of: { type: 'string', maxLength: 3 },
      get args() {
        return { of: world.isAllowed ? 'x' : 'too long' };
      },
    }),
    async check(world) {
      await world.mustReach();
      const begun = world.way.does === 'handle' ? await world.begin() : undefined;
      world.isAllowed = false;
      const { runs } = world;
      if (begun !== undefined)
        return void must((await world.way.reach(world, 'ann', begun)).isReached, 'is not reached');
      const { isReached, text } = await world.go();
      if (world.way.does === 'complete') return;
      must(!isReached, 'takes wrong arguments');
      must(world.runs === runs, 'runs code of the author');
      must(/at most 3|nvalid/.test(text), `is refused otherwise: ${text.slice(0, 200)}`);
    },
  },
  {
    name: 'dates, instances and schemas of libraries',
    covers: ['revive', 'convert'],
    needs: ['made'],
    prepare: (world) =>
      world.way.isDecorated
        ? { ...kept(world), ...dated, args: { of: '2027-01-02T03:04:05Z' } }
        : { ...kept(world), definition: { inputSchema: converting } },
    async check(world) {
      await world.mustReach();
      const { of } = world.notes;
      must(of instanceof Date || of === 'x, converted', `gets ${String(of)}`);
    },
  },
];
