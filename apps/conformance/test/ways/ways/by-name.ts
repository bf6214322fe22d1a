import { authored } from '../authored.js';
import { eras } from '../wire.js';
import { NAME, reached } from '../marks.js';
import type { Fact, Who } from '../table.js';
import type { Way, World } from '../world.js';

/** What every call of a tool has. */
export const ofTools: readonly Fact[] = [
  ...(['caller', 'operation', 'arguments', 'schema', 'structured', 'context'] as const),
];

/** Calls the tool by a name. */
export const callBy =
  (name: string, more: object = {}) =>
  async (world: World, who: Who) =>
    reached(await world.ask(who, 'tools/call', { name, arguments: world.args, ...more }));

const tool = { does: 'call', kind: 'tool', eras, methods: ['tools/call'] } as const;

const PAGE = 'ui://ways/page';

const other = { name: NAME, description: 'Another version.', annotations: { readOnlyHint: true } };

/** A tool by its own name, and by the names of its versions. */
export const byName: readonly Way[] = [
  {
    ...tool,
    name: 'its own name',
    has: new Set<Fact>([...ofTools, 'made']),
    isDecorated: true,
    services: (world) => authored(world, 'tool'),
    reach: callBy(NAME),
  },
  {
    ...tool,
    name: 'the bare name beside versions',
    has: new Set<Fact>([...ofTools, 'made']),
    place: (world) => addVersion(world, '2', '1'),
    reach: callBy(NAME),
  },
  {
    ...tool,
    name: 'the name of an old version',
    has: new Set<Fact>([...ofTools, 'made']),
    place: (world) => addVersion(world, '1', '2'),
    reach: callBy(`${NAME}.v1`),
  },
  {
    ...tool,
    name: 'a call of a page',
    has: new Set<Fact>([...ofTools, 'made']),
    place: (world) => {
      world.server.resources.add({
        name: 'page',
        uri: PAGE,
        ui: {},
        handler: () => '<!doctype html><p>Page</p>',
      });
      const { of, output } = world.plan;
      const sensitive = [
        ...(of?.['writeOnly'] ? ['of'] : []),
        ...(output?.['properties'].token ? ['token'] : []),
      ];
      const ui = {
        resourceUri: PAGE,
        visibility: ['app' as const],
        ...(sensitive.length > 0 && { sensitive }),
      };
      world.server.tools.add(world.definition({ ui }));
    },
    reach: callBy(NAME),
  },
];

/** The operation is one version of a tool. The other one has nothing to guard. */
export function addVersion(world: World, version: string, beside: string, changes: object = {}): void {
  const { server } = world;
  server.tools.add({ ...other, version: beside, ...changes, handler: () => 'another version' });
  server.tools.add(world.definition({ version, ...changes }));
}
