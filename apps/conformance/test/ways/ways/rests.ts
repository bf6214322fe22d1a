import { MaxOutput } from '@toolwright/core';
import { eras, type Json } from '../wire.js';
import { addVersion, ofTools } from './by-name.js';
import { called } from './search.js';
import { NAME, reached } from '../marks.js';
import type { Fact, Reached, Who } from '../table.js';
import type { Way, World } from '../world.js';

const has = new Set<Fact>([...ofTools, 'made', 'handles']);
const BYTES = 700;

const policies = (link: boolean) => [MaxOutput.entry({ bytes: BYTES, link })];

/** What follows a cut result: the cursor of its note, and the link. */
async function rest(world: World, who: Who, params: Json): Promise<Rest> {
  const first = reached(await world.ask(who, 'tools/call', params));
  const [, cursor] = /\\"cursor\\": \\"([^"\\]+)/.exec(first.text) ?? [];
  const [link] = /toolwright-rest:[^"\\ ]+/.exec(first.text) ?? [];
  return { first, cursor, link };
}

interface Rest {
  readonly first: Reached;
  readonly cursor: string | undefined;
  readonly link: string | undefined;
}

const call = (name: string) => (world: World) => ({ name, arguments: world.args });

const link = (name: string, params: (world: World) => Json, way: Pick<Way, 'place' | 'options'>): Way => ({
  name,
  does: 'call',
  kind: 'tool',
  eras,
  methods: ['tools/call', 'resources/read'],
  has,
  isLong: true,
  ...way,
  begin: (world, who) => rest(world, who, params(world)),
  async reach(world, who, begun) {
    const { link: uri, first } = begun as Rest;
    if (uri === undefined) return { ...first, isReached: false };
    return reached(await world.ask(who, 'resources/read', { uri }));
  },
});

const cursor = (name: string, tool: string, way: Pick<Way, 'place'>): Way => ({
  name,
  does: 'call',
  kind: 'tool',
  eras,
  methods: ['tools/call'],
  has,
  isLong: true,
  ...way,
  begin: (world, who) => rest(world, who, { name: tool, arguments: world.args }),
  async reach(world, who, begun) {
    const { cursor: at, first } = begun as Rest;
    if (at === undefined) return { ...first, isReached: false };
    const next = { name: tool, arguments: { ...world.args, cursor: at } };
    return reached(await world.ask(who, 'tools/call', next), '"content"');
  },
});

/** The rest of a result that was cut. */
export const byRests: readonly Way[] = [
  link('the link to the rest', call(NAME), {
    place: (world) => world.server.tools.add(world.definition({ policies: policies(true) })),
  }),
  link('the link to the rest of an old version', call(`${NAME}.v1`), {
    place: (world) => addVersion(world, '1', '2', { policies: policies(true) }),
  }),
  link('the link to the rest of call_tool', ({ args }) => called(NAME, args), {
    options: { toolSearch: true },
    place: (world) => world.server.tools.add(world.definition({ policies: policies(true) })),
  }),
  cursor('a cursor', NAME, {
    place: (world) => world.server.tools.add(world.definition({ policies: policies(false) })),
  }),
  cursor('a cursor of an old version', `${NAME}.v1`, {
    place: (world) => addVersion(world, '1', '2', { policies: policies(false) }),
  }),
];
