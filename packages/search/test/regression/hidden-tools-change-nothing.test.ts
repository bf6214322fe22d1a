import type { McpServer } from '@toolwright/core';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { boot } from '../../../core/test/support/booting.js';
import { StatelessWire } from '../../../core/test/wire/stateless-wire.js';

type ToolDefinition = Parameters<McpServer['tools']['add']>[0];

/** Words with common stems, synonyms, near spellings and beginnings, so that each of them may change what another one finds. */
const VERBS = 'get list find delete remove cancel create update send refund export archive'.split(' ');
const THINGS =
  'customer customs customers order orders invoice bill payroll pay salary report reporter user users account general generation ' +
  'generator author authorization author audit log login policy police ship shipment shipping label merger acquisition';
const things = THINGS.split(' ');
const PLACES = ['stripe', 'jira', 'github', undefined, undefined];
const QUERIES = [
  ...things.map((thing) => `find ${thing}`),
  ...things.map((thing) => `list ${thing.slice(0, -1)}x ${thing.slice(0, 4)}`),
  ...['stripe', 'jira', 'github', 'git hub'].map((place) => `list orders in ${place}`),
  'she wants her money back',
  'who has not paid',
  'get rid of the merger',
  'audit log of users',
  'roll back',
];

/** A small generator with a seed: each run has the same tools. */
function seeded(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return <T>(all: readonly T[]): T => all[next(all.length)]!;
}

function someTools(seed: number, count: number): ToolDefinition[] {
  const one = seeded(seed);
  const made = new Map<string, ToolDefinition>();
  while (made.size < count) {
    const [place, verb, thing, other] = [one(PLACES), one(VERBS), one(things), one(things)];
    const name = [place, verb, thing, ...(one([true, false]) ? [other] : [])].filter(Boolean).join('_');
    made.set(name, {
      name,
      description: `${one(VERBS)} the ${one(things)} of a ${one(things)}. It is for the ${one(things)}.`,
      ...(one([true, false]) && { searchTerms: [one(things)] }),
      ...(one([true, false]) && { category: one(things) }),
      ...(one([true, false, false]) && { origin: one(['Stripe', 'Jira', 'GitHub']) }),
      ...(one([true, false, false]) && { group: one(things) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      handler: () => 'ok',
    });
  }
  return [...made.values()];
}

/** Puts the second list between the members of the first one, which keep their order. */
function mixed<T>(some: readonly T[], others: readonly T[], seed: number): T[] {
  const one = seeded(seed);
  const rest = [...others];
  const all = some.flatMap((each) => [...rest.splice(0, one([0, 0, 1, 2, 3])), each]);
  return [...all, ...rest];
}

const open = closedAfterEach<McpServer>((server) => server.close(0));

async function serverOf(tools: readonly ToolDefinition[], hidden: readonly string[], options: object = {}) {
  const server = await boot({
    services: [],
    toolSearch: true,
    rateLimit: false,
    audit: false,
    authorize: (principal, { name }) => principal?.subject === 'root' || !hidden.includes(name),
    ...options,
  });
  open.push(server);
  server.tools.add([...tools]);
  return server;
}

/** Everything that a caller can ask, with the answers as they are on the wire. */
async function answersOf(server: McpServer, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const wire = StatelessWire.of(server, 'ann');
  const answers = new Map<string, string>();
  const ask = async (method: string, params: Record<string, unknown> = {}) =>
    answers.set(
      JSON.stringify([method, params]),
      JSON.stringify({ ...(await wire.request(method, params)), id: 0 }),
    );
  const call = (name: string, args: object = {}) => ask('tools/call', { name, arguments: args });
  await ask('tools/list');
  await call('load_group');
  for (const query of QUERIES) await call('search_tools', { query, limit: 50 });
  for (const name of [...names, 'find_order', 'send_payrolls', 'lost_invoice']) {
    await call('call_tool', { name });
    await call('describe_tool', { name });
    await call(name);
  }
  await call('load_group', { group: 'ordr' });
  return answers;
}

/** The questions that a caller gets other answers to when a server also has tools that are hidden from it. */
async function differences(
  visible: readonly ToolDefinition[],
  all: readonly ToolDefinition[],
  options: object = {},
): Promise<string[]> {
  const hidden = all.filter((tool) => !visible.includes(tool)).map(({ name }) => name);
  const names = all.map(({ name }) => name).filter((_, at) => at % 9 === 0);
  const answers = await answersOf(await serverOf(visible, hidden, options), names);
  const others = await answersOf(await serverOf(all, hidden, options), names);
  return [...answers].flatMap(([question, answer]) => (others.get(question) === answer ? [] : [question]));
}

/** Some harmless tools that a caller sees, and the same with others between them. */
function catalogue(seed: number, visible: number, hidden: number) {
  const all = someTools(seed, visible + hidden);
  const seen = all.slice(0, visible);
  const others = all.slice(visible).map((tool) => ({ ...tool, annotations: {} }));
  return [seen, mixed(seen, others, seed)] as const;
}

test.each([
  [12, 80],
  [40, 60],
  [60, 30],
])(
  'A caller gets the same answers, byte for byte, with and without hidden tools: %i visible ones and %i hidden ones',
  async (visible, hidden) => {
    expect(await differences(...catalogue(visible, visible, hidden))).toEqual([]);
  },
);

test('The same where a model ranks, too', async () => {
  const embed = (texts: readonly string[]) =>
    Promise.resolve(texts.map((text) => things.map((thing) => text.split(thing).length)));
  expect(await differences(...catalogue(9, 30, 60), { toolSearch: { embed } })).toEqual([]);
});

test('The same where a hidden tool replaces a visible one', async () => {
  const [first, ...rest] = someTools(7, 10) as [ToolDefinition, ...ToolDefinition[]];
  const deprecated = { ...first, deprecated: true as const, replacedBy: 'next' };
  const visible = [deprecated, ...rest];
  expect(await differences(visible, [{ ...first, name: 'next' }, ...visible])).toEqual([]);
});

test('What is hidden is still found by those who may see it', async () => {
  const [tool] = someTools(8, 1) as [ToolDefinition];
  const wire = StatelessWire.of(await serverOf([tool], [tool.name]), 'root');
  const { result } = await wire.call('search_tools', { query: tool.name.replaceAll('_', ' ') });
  expect(result.structuredContent.tools).toHaveLength(1);
});
