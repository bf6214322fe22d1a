import { authored, TEMPLATE, URI } from '../authored.js';
import { eras } from '../wire.js';
import { NAME, reached } from '../marks.js';
import type { Fact } from '../table.js';
import type { Way } from '../world.js';

const has = new Set<Fact>(['caller', 'operation']);

const list = (method: string, kind: Way['kind'], sign: string): Way => ({
  name: method,
  does: 'show',
  kind,
  eras,
  methods: [method],
  has,
  services: (world) => authored(world, kind),
  reach: async (world, who) => reached(await world.ask(who, method, {}), sign),
});

/** The lists of each kind. */
export const byLists: readonly Way[] = [
  list('tools/list', 'tool', `"${NAME}"`),
  list('prompts/list', 'prompt', `"${NAME}"`),
  list('resources/list', 'resource', URI),
  list('resources/templates/list', 'resourceTemplate', TEMPLATE),
];
