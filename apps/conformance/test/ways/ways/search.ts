import { eras } from '../wire.js';
import { addVersion, ofTools } from './by-name.js';
import { NAME, reached } from '../marks.js';
import type { Fact } from '../table.js';
import type { Way } from '../world.js';

const options = { toolSearch: true as const };

/** The tools of the search, and what they lead to. */
export const bySearch: readonly Way[] = [
  {
    name: 'call_tool',
    does: 'call',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    options,
    has: new Set<Fact>([...ofTools, 'made']),
    place: (world) => world.server.tools.add(world.definition()),
    reach: async (world, who) => reached(await world.ask(who, 'tools/call', called(NAME, world.args))),
  },
  {
    name: 'call_tool with an old version',
    does: 'call',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    options,
    has: new Set<Fact>([...ofTools, 'made']),
    place: (world) => addVersion(world, '1', '2'),
    reach: async (world, who) =>
      reached(await world.ask(who, 'tools/call', called(`${NAME}.v1`, world.args))),
  },
  {
    name: 'describe_tool',
    does: 'show',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    options,
    has: new Set<Fact>(['caller', 'operation']),
    place: (world) => world.server.tools.add(world.definition()),
    reach: async (world, who) =>
      reached(await world.ask(who, 'tools/call', { name: 'describe_tool', arguments: { name: NAME } }), SIGN),
  },
  {
    name: 'describe_tool with an old version',
    does: 'show',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    options,
    has: new Set<Fact>(['caller', 'operation']),
    place: (world) => addVersion(world, '1', '2'),
    reach: async (world, who) =>
      reached(
        await world.ask(who, 'tools/call', { name: 'describe_tool', arguments: { name: `${NAME}.v1` } }),
        SIGN,
      ),
  },
  {
    name: 'search_tools',
    does: 'show',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    options,
    has: new Set<Fact>(['caller', 'operation']),
    place: (world) => world.server.tools.add(world.definition()),
    reach: async (world, who) =>
      reached(await world.ask(who, 'tools/call', { name: 'search_tools', arguments: { query: NAME } }), SIGN),
  },
];

/** Only a description of the tool has it: a refusal may repeat the name. */
const SIGN = 'what its author says';

export const called = (name: string, args: object) => ({
  name: 'call_tool',
  arguments: { name, arguments: args },
});
