import { RateLimit, type ServerOptions } from '@toolwright/core';
import { AsyncLocalStorage } from 'node:async_hooks';
import { MARK, NAME } from '../marks.js';
import { must } from '../table.js';
import type { Judge, Preparation, World } from '../world.js';

/** What the application sets around a call. */
const inside = new AsyncLocalStorage<boolean>();

const noted = ({ notes }: World, name: string) => (notes[name] as unknown[] | undefined) ?? [];
const note = (world: World, name: string, value: unknown) =>
  void (world.notes[name] = [...noted(world, name), value]);

/** Notes each call that the application surrounds, and code of the author that runs outside. */
const surrounding = (world: World): Preparation & { options: Partial<ServerOptions> } => ({
  options: {
    around: (principal, run, { operation }) => {
      note(world, 'around', `${operation.name} of ${principal?.subject ?? 'nobody'}`);
      return inside.run(true, run);
    },
  },
  run() {
    if (!inside.getStore()) note(world, 'outside', 'method');
    return MARK;
  },
});

async function isSurrounded(world: World): Promise<void> {
  await world.mustReach();
  const { does } = world.way;
  if (['show', 'watch'].includes(does))
    return must(
      noted(world, 'around').every((call) => !String(call).startsWith(NAME)),
      'surrounds what runs nothing',
    );
  const whose = does === 'clock' ? 'nobody' : 'ann';
  const surrounded = noted(world, 'around');
  must(surrounded.length > 0, 'is not surrounded');
  must(
    surrounded.every((call) => call === `${NAME} of ${whose}`),
    `surrounds ${JSON.stringify(surrounded)}`,
  );
  // The method of a mounted tool runs in the server behind.
  if (world.way.has.has('context')) must(noted(world, 'outside').length === 0, 'runs outside');
}

/** The context that an application sets around each call. */
export const around: readonly Judge[] = [
  { name: 'around', covers: ['around'], needs: ['operation'], prepare: surrounding, check: isSurrounded },
  {
    name: 'around limits that code decides',
    covers: ['around limits', 'early deadline'],
    needs: ['caller', 'operation'],
    prepare(world) {
      const key = () => {
        if (!inside.getStore()) note(world, 'outside', 'key');
        return 'all';
      };
      return { ...surrounding(world), uses: [[RateLimit, { points: 99, per: '1h', key }]] };
    },
    check: isSurrounded,
  },
];
