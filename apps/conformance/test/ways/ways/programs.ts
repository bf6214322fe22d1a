import { Confirm } from '@toolwright/core';
import { eras } from '../wire.js';
import { addVersion, ofTools } from './by-name.js';
import { NAME, reached } from '../marks.js';
import type { Fact } from '../table.js';
import type { Way, World } from '../world.js';

const ASKING = 'asking';

/** A program that calls the tool once. */
const program = (name: string, world: World) =>
  `await tools[${JSON.stringify(name)}](${JSON.stringify(world.args)})`;

const way = (name: string, tool: string, place: NonNullable<Way['place']>): Way => {
  const run = async (world: World, who: Parameters<Way['reach']>[1], code: string) =>
    reached(await world.ask(who, 'tools/call', { name: 'run_code', arguments: { code } }));
  return {
    name,
    does: 'call',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    options: { codeMode: true },
    has: new Set<Fact>([...ofTools, 'made']),
    isInner: true,
    place,
    reach: (world, who) => run(world, who, `return ${program(tool, world)};`),
    reachAndAsk(world) {
      const policies = [Confirm.entry('Sure?')];
      world.server.tools.add({ name: ASKING, description: 'Asks.', policies, handler: () => 'asked' });
      return run(
        world,
        'ann',
        `const found = ${program(tool, world)}; await tools.${ASKING}(); return found;`,
      );
    },
  };
};

/** Calls that a program makes. */
export const byPrograms: readonly Way[] = [
  way('run_code', NAME, (world) => world.server.tools.add(world.definition())),
  way('run_code with an old version', `${NAME}.v1`, (world) => addVersion(world, '1', '2')),
];
