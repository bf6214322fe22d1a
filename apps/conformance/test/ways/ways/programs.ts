import { eras } from '../wire.js';
import { addVersion, ofTools } from './by-name.js';
import { NAME, reached } from '../marks.js';
import type { Fact } from '../table.js';
import type { Way } from '../world.js';

const options = { codeMode: true as const };

/** The arguments of a program that calls the tool once. */
const program = (name: string, args: object) => ({
  name: 'run_code',
  arguments: { code: `return await tools[${JSON.stringify(name)}](${JSON.stringify(args)});` },
});

/** Calls that a program makes. */
export const byPrograms: readonly Way[] = [
  {
    name: 'run_code',
    does: 'call',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    options,
    has: new Set<Fact>([...ofTools, 'made']),
    place: (world) => world.server.tools.add(world.definition()),
    reach: async (world, who) => reached(await world.ask(who, 'tools/call', program(NAME, world.args))),
  },
  {
    name: 'run_code with an old version',
    does: 'call',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    options,
    has: new Set<Fact>([...ofTools, 'made']),
    place: (world) => addVersion(world, '1', '2'),
    reach: async (world, who) =>
      reached(await world.ask(who, 'tools/call', program(`${NAME}.v1`, world.args))),
  },
];
