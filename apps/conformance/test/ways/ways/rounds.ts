import type { ToolContext } from '@toolwright/core';
import type { Json } from '../wire.js';
import { addVersion, ofTools } from './by-name.js';
import { called } from './search.js';
import { NAME, reached } from '../marks.js';
import type { Fact } from '../table.js';
import type { Way, World } from '../world.js';

const has = new Set<Fact>([...ofTools, 'made']);

/** The tool asks before it does anything else. */
const asks = (world: World, changes: object = {}) => {
  const definition = world.definition(changes);
  return {
    ...definition,
    async handler(args: Json, ctx: ToolContext) {
      await ctx.elicit('go', {
        message: 'Go on?',
        schema: { type: 'object', properties: { ok: { type: 'boolean' } } },
      });
      return definition.handler(args, ctx);
    },
  };
};

/** In the older era the question comes in the middle of the call, and there is no later request. */
const asking = (name: string, params: (world: World) => Json, way: Partial<Way>): Way[] => [
  {
    name: `a later round${name}`,
    does: 'call',
    kind: 'tool',
    eras: ['2026-07-28'],
    methods: ['tools/call'],
    has: new Set<Fact>([...has, 'handles']),
    asksItself: true,
    ...way,
    begin: async (world, who) => (await world.once(who, 'tools/call', params(world))).result,
    async reach(world, who, asked) {
      const next = asked === undefined ? {} : world.wire(who).nextRound(asked as Json);
      return reached(await world.ask(who, 'tools/call', { ...params(world), ...next }));
    },
  },
  {
    name: `a question in the middle${name}`,
    does: 'call',
    kind: 'tool',
    eras: ['2025-11-25'],
    methods: ['tools/call'],
    has,
    asksItself: true,
    ...way,
    reach: async (world, who) => reached(await world.ask(who, 'tools/call', params(world))),
  },
];

const call = (name: string) => (world: World) => ({ name, arguments: world.args });

/** A call that goes on when a question is answered. */
export const byRounds: readonly Way[] = [
  ...asking('', call(NAME), { place: (world) => world.server.tools.add(asks(world)) }),
  ...asking(' of an old version', call(`${NAME}.v1`), {
    place(world) {
      addVersion(world, '1', '2');
      world.server.tools.remove(`${NAME}.v1`);
      world.server.tools.add(asks(world, { version: '1' }));
    },
  }),
  ...asking(' of call_tool', ({ args }) => called(NAME, args), {
    options: { toolSearch: true },
    place: (world) => world.server.tools.add(asks(world)),
  }),
];
