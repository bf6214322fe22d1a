import { RequireScopes, type ServerOptions } from '@toolwright/core';
import { extend } from '@toolwright/core/extend';
import { externalDecision, type DecisionInput } from '@toolwright/identity/decisions';
import { must, type Who } from '../table.js';
import type { Judge, World } from '../world.js';

/** The caller gets through; then `lock` closes the door, and nothing of the author runs any more. */
async function opensAndCloses(world: World, closed: Who, lock: () => void = () => undefined): Promise<void> {
  await world.mustReach();
  const begun = await world.begin();
  lock();
  const { runs } = world;
  const after = await world.way.reach(world, closed, begun);
  must(!after.isReached, `is reached all the same: ${after.text.slice(0, 200)}`);
  if (world.way.does !== 'file') must(world.runs === runs, 'runs code of the author');
}

/** A task that was given belongs to its caller, whatever becomes of its rights (ADR 141). */
const isOwned = ({ way }: World) => way.does === 'handle';

const bySwitch = (name: string, options: (world: World) => Partial<ServerOptions>): Judge => ({
  name,
  covers: ['authorize'],
  needs: ['caller', 'operation'],
  prepare: (world) => ({ options: options(world) }),
  async check(world) {
    if (isOwned(world)) return void (await world.mustReach());
    await opensAndCloses(world, 'ann', () => (world.isAllowed = false));
  },
});

const scopes = RequireScopes;

const decides = (name: string, hide: boolean): Judge => ({
  name,
  covers: hide ? ['decision about lists', 'decision'] : ['decision'],
  needs: ['caller', 'operation'],
  prepare: () => ({
    started: (world) =>
      extend(
        world.server,
        externalDecision({
          hide,
          cache: false,
          decide: ({ operation }: DecisionInput) => ({
            allow: operation.name !== 'subject' || world.isAllowed,
          }),
        }),
      ),
  }),
  async check(world) {
    const isShown = world.way.does === 'show' && !hide;
    if (!isOwned(world) && !isShown) return opensAndCloses(world, 'ann', () => (world.isAllowed = false));
    await world.mustReach();
    if (isShown) world.isAllowed = false;
    await world.mustReach();
  },
});

/** What refuses and hides by who calls. */
export const access: readonly Judge[] = [
  {
    name: 'scopes',
    covers: ['scopes', 'unknown tool'],
    needs: ['caller', 'operation'],
    prepare: () => ({ uses: [[scopes, 'use']] }),
    async check(world) {
      if (isOwned(world)) return void (await world.mustReach());
      await opensAndCloses(world, 'stranger');
    },
  },
  {
    name: 'locked tools',
    covers: ['scopes'],
    needs: ['caller', 'operation'],
    prepare: () => ({ uses: [[scopes, 'use']], options: { lockedTools: 'listed' } }),
    async check(world) {
      if (isOwned(world)) return void (await world.mustReach());
      if (world.way.does !== 'show') return opensAndCloses(world, 'stranger');
      const { text } = await world.mustReach('stranger');
      must(world.way.kind !== 'tool' || text.includes('"use"'), 'does not say which scope is missing');
    },
  },
  bySwitch('authorize', (world) => ({
    authorize: (_principal, { name, versionOf = name }: { name: string; versionOf?: string }) =>
      versionOf !== 'subject' || world.isAllowed,
  })),
  {
    name: 'mayRead',
    covers: ['authorize'],
    needs: ['caller'],
    prepare: (world) => ({ options: { mayRead: () => world.isAllowed } }),
    async check(world) {
      const { kind, does } = world.way;
      const isRead = kind === 'resource' || (kind === 'resourceTemplate' && does === 'call');
      if (isRead) return opensAndCloses(world, 'ann', () => (world.isAllowed = false));
      world.isAllowed = false;
      await world.mustReach();
    },
  },
  {
    name: 'tenants',
    covers: ['authorize'],
    needs: ['caller'],
    // What was handed out is of one tenant by itself. All else is for the tenants that the application names.
    prepare: ({ way }) =>
      way.has.has('handles') ? {} : { options: { authorize: (principal) => principal?.tenant !== 'globex' } },
    check: (world) => opensAndCloses(world, 'abroad'),
  },
  decides('a policy engine', false),
  decides('a policy engine that hides', true),
];
