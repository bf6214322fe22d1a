import { authored, TEMPLATE, URI } from '../authored.js';
import { eras, settle } from '../wire.js';
import { NAME, reached } from '../marks.js';
import type { Fact, Reached, Who } from '../table.js';
import type { Way, World } from '../world.js';

const facts = (...more: readonly Fact[]) => new Set<Fact>(['caller', 'operation', 'context', ...more]);

/** The address of the template with the argument of the cell. */
export const placeOf = ({ args }: World) => `ways://subjects/${encodeURIComponent(String(args['of']))}`;

const complete =
  (ref: object) =>
  async (world: World, who: Who): Promise<Reached> =>
    reached(
      await world.ask(who, 'completion/complete', {
        ref,
        argument: { name: 'of', value: String(world.args['of']) },
      }),
    );

/** Prompts, resources and templates: to get, to complete, and to watch them. */
export const byReading: readonly Way[] = [
  {
    name: 'prompts/get',
    does: 'call',
    kind: 'prompt',
    eras,
    methods: ['prompts/get'],
    has: facts('arguments', 'schema', 'made'),
    isDecorated: true,
    services: (world) => authored(world, 'prompt'),
    reach: async (world, who) =>
      reached(await world.ask(who, 'prompts/get', { name: NAME, arguments: world.args })),
  },
  {
    name: 'resources/read',
    does: 'call',
    kind: 'resource',
    eras,
    methods: ['resources/read'],
    has: facts(),
    isDecorated: true,
    services: (world) => authored(world, 'resource'),
    reach: async (world, who) => reached(await world.ask(who, 'resources/read', { uri: URI })),
  },
  {
    name: 'resources/read of a template',
    does: 'call',
    kind: 'resourceTemplate',
    eras,
    methods: ['resources/read'],
    has: facts('arguments', 'schema', 'made'),
    isDecorated: true,
    services: (world) => authored(world, 'resourceTemplate'),
    reach: async (world, who) => reached(await world.ask(who, 'resources/read', { uri: placeOf(world) })),
  },
  {
    name: 'the completion of a prompt',
    does: 'complete',
    kind: 'prompt',
    eras,
    methods: ['completion/complete'],
    has: facts('arguments', 'schema'),
    isDecorated: true,
    services: (world) => authored(world, 'prompt', { completes: true }),
    reach: complete({ type: 'ref/prompt', name: NAME }),
  },
  {
    name: 'the completion of a template',
    does: 'complete',
    kind: 'resourceTemplate',
    eras,
    methods: ['completion/complete'],
    has: facts('arguments', 'schema'),
    isDecorated: true,
    services: (world) => authored(world, 'resourceTemplate', { completes: true }),
    reach: complete({ type: 'ref/resource', uri: TEMPLATE }),
  },
  {
    name: 'a subscription of 2025-11-25',
    does: 'watch',
    kind: 'resource',
    eras: ['2025-11-25'],
    methods: ['resources/subscribe', 'resources/unsubscribe'],
    has: new Set<Fact>(['caller', 'operation']),
    isDecorated: true,
    services: (world) => authored(world, 'resource'),
    async reach(world, who) {
      const asked = await world.ask(who, 'resources/subscribe', { uri: URI });
      const hears = await hearsOfChange(world, who);
      await world.ask(who, 'resources/unsubscribe', { uri: URI });
      return { isReached: hears, text: JSON.stringify(asked) };
    },
  },
  {
    name: 'subscriptions/listen',
    does: 'watch',
    kind: 'resource',
    eras: ['2026-07-28'],
    methods: ['subscriptions/listen'],
    has: new Set<Fact>(['caller', 'operation']),
    isDecorated: true,
    services: (world) => authored(world, 'resource'),
    async reach(world, who) {
      const wire = world.wire(who);
      const id = wire.upcomingId;
      void world.once(who, 'subscriptions/listen', { notifications: { resourceSubscriptions: [URI] } });
      await settle();
      const isReached = await hearsOfChange(world, who);
      wire.notify('notifications/cancelled', { requestId: id });
      await settle();
      return { isReached, text: JSON.stringify(wire.heard) };
    },
  },
];

/** Whether a client hears of a change of the resource. */
async function hearsOfChange(world: World, who: Who): Promise<boolean> {
  const { heard } = world.wire(who);
  heard.length = 0;
  world.server.resourceUpdated(URI);
  await settle();
  return heard.some(
    ({ method, params }) => method === 'notifications/resources/updated' && params.uri === URI,
  );
}
