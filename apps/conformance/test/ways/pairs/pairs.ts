import { ConfigurationError } from '@toolwright/core';
import { authored } from '../authored.js';
import { eras, type Era } from '../wire.js';
import { ofTools } from '../ways/by-name.js';
import { callAndFollow } from '../ways/tasks.js';
import { type Feature, features } from './features.js';
import { NAME } from '../marks.js';
import type { Fact } from '../table.js';
import { type Judge, type Preparation, type Way, World } from '../world.js';

/** Two features that are on together. The judge of the first one looks whether it holds. */
export interface Pair {
  readonly judged: Feature & { readonly judge: Judge };
  readonly beside: Feature;
  readonly era: Era;
}

/**
 * Pairs of which one feature refines the other: then only the one counts, as the guides say. Names that end with `…` mean
 * all that begin so.
 */
export const refinements: readonly {
  readonly judged: string;
  readonly beside: string;
  readonly why: string;
}[] = [
  { judged: 'rateLimit', beside: '@RateLimit…', why: 'The decorator says other points for this tool.' },
  { judged: 'timeout', beside: '@Timeout', why: 'The decorator says another time for this tool.' },
  { judged: 'timeout', beside: '@McpTool({ task…', why: 'Nobody waits for the answer of a task.' },
  { judged: 'output', beside: '@UndeclaredOutput…', why: 'The decorator says it for this tool.' },
  {
    judged: 'rateLimit',
    beside: '@McpTool({ annotations that destroy })',
    why: 'Such a call costs five points. With fewer, each call is told that it can never run.',
  },
  {
    judged: '@RateLimit',
    beside: '@McpTool({ annotations that destroy })',
    why: 'Such a call costs five points. With fewer, each call is told that it can never run.',
  },
];

/** Whether a name is the one that is meant, or begins like it. */
export const isMeant = (meant: string, name: string) =>
  meant.endsWith('…') ? name.startsWith(meant.slice(0, -1)) : meant === name;

/** A decorator is not tried beside itself with other options: it stands once at each place. */
const isSame = (one: string, other: string) => {
  const decorator = /^@(?!McpTool)\w+/.exec(one)?.[0];
  return one === other || (decorator !== undefined && decorator === /^@\w+/.exec(other)?.[0]);
};

const isRefined = (judged: string, beside: string) =>
  refinements.some((each) => isMeant(each.judged, judged) && isMeant(each.beside, beside));

const hasJudge = (feature: Feature): feature is Pair['judged'] => feature.judge !== undefined;

export const pairs: readonly Pair[] = features
  .filter(hasJudge)
  .flatMap((judged) =>
    features
      .filter(({ name }) => !isSame(judged.name, name) && !isRefined(judged.name, name))
      .flatMap((beside) => eras.map((era) => ({ judged, beside, era }))),
  );

/** A decorated tool. If it is one with tasks, the client follows them. */
const way: Way = {
  name: 'a tool',
  does: 'call',
  kind: 'tool',
  eras,
  methods: ['tools/call'],
  isDecorated: true,
  has: new Set<Fact>([...ofTools, 'made']),
  services: (world) => authored(world, 'tool'),
  reach: (world, who) => callAndFollow(world, who, { name: NAME, arguments: world.args }),
};

/** What came of a pair: both hold (`undefined`), boot refuses, or what does not hold. */
export type Outcome = undefined | { readonly refused: ConfigurationError } | { readonly broken: string };

export async function tryPair({ judged: { judge }, beside, era }: Pair): Promise<Outcome> {
  const together: Pick<Judge, 'prepare'> = {
    prepare: (world) => joined(judge.prepare(world), beside.on(world)),
  };
  const world = new World(way, together, era);
  try {
    await world.open();
    await judge.check(world);
    return undefined;
  } catch (error) {
    return error instanceof ConfigurationError ? { refused: error } : { broken: (error as Error).message };
  } finally {
    await world.close();
  }
}

/** Both preparations. Of an option that both have, the one that is judged counts. */
function joined(judged: Preparation, beside: Preparation): Preparation {
  const own = (judged.uses ?? []).map(([policy]) => policy.policyName);
  return Object.defineProperties(
    {},
    Object.getOwnPropertyDescriptors({
      ...beside,
      uses: [
        ...(beside.uses ?? []).filter(([policy]) => !own.includes(policy.policyName)),
        ...(judged.uses ?? []),
      ],
      options: { ...beside.options, ...judged.options },
      definition: { ...beside.definition, ...judged.definition },
      ...withoutMerged(judged),
      async started(world: World) {
        await beside.started?.(world);
        await judged.started?.(world);
      },
      get args() {
        return judged.args ?? beside.args;
      },
    }),
  ) as Preparation;
}

function withoutMerged({
  uses: _,
  options: __,
  definition: ___,
  started: ____,
  args: _____,
  ...rest
}: Preparation) {
  return rest;
}
