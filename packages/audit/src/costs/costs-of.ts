import {
  type CountTokens,
  isObject,
  isShallow,
  partsOfTool,
  present,
  tokensOfBytes,
  tokensOfTool,
  type ToolInList,
} from '@toolwright/json';
import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import type { OnNote } from '../read/merge-records.js';
import type { AuditFilter } from '../read/audit-filter.js';
import { queryAudit, type QueryOptions, queryOptions } from '../read/query-audit.js';
import type { OnBroken } from '../read/read-since.js';
import { type CostChange, type PricedTool, savingsOf } from './changes.js';
import { shorter } from './shorter.js';
import { Tally } from './tally.js';
import { leftOutOf, ToolList } from './tool-list.js';

/** What one tool takes of the context of models. */
export interface ToolCosts {
  readonly name: string;
  /** The tokens of its entry in the list. 0: it is not in the list. */
  readonly entry: number;
  /** Calls of the whole time. */
  readonly calls: number;
  /** Tokens in a week: its entry, as often as models have read the list, about. */
  readonly list: number;
  /** Tokens in a week: its results, each once. */
  readonly results: number;
}

/** What the tools of a server take of the context of models, as far as its list and its log know. */
export interface ServerCosts {
  /** The first and the last call, in milliseconds since the epoch. Both are 0 without calls. */
  readonly from: number;
  readonly until: number;
  /** The time between them, at least one week. Figures of a week are those of the whole time, divided by it. */
  readonly weeks: number;
  readonly calls: number;
  /** How many requests of models wrote these calls. Each of them had the list. */
  readonly requests: number;
  /** The tokens of the list. */
  readonly list: number;
  /** Tokens in a week: the list and the results. */
  readonly tokens: number;
  /** By weeks of ISO 8601. */
  readonly byWeek: readonly {
    readonly week: string;
    readonly requests: number;
    readonly list: number;
    readonly results: number;
  }[];
  /** The most expensive one first. */
  readonly tools: readonly ToolCosts[];
  /** At most three, the largest saving first. Each is computed alone. */
  readonly changes: readonly CostChange[];
  /** What no figure has: tools that models do not see, and calls of tools that are not in the list. */
  readonly leftOut: readonly string[];
  /** What neither the list nor the log knows. */
  readonly unknown: readonly string[];
}

export interface CostsOptions {
  /** The file of the log, or a list of logs, as for `queryAudit`. */
  file: QueryOptions['file'];
  filter?: AuditFilter;
  /** The tools, as `tools/list` gives them, of all pages. Of two with one name, the first counts. */
  tools: readonly ToolInList[];
  /** Counts the tokens of the list. Default: four bytes are one token, as for results. */
  count?: CountTokens;
  onBroken?: OnBroken;
  onNote?: OnNote;
}

const { callback, listOf, required } = optionRules;

/** Objects and lists inside each other, in one tool. */
export const MOST_LEVELS = 500;

const costsOptions = {
  ...queryOptions,
  tools: required(
    listOf('a list of tools, as tools/list gives them', {
      expected: `a tool of tools/list, of at most ${MOST_LEVELS} levels`,
      accepts: isTool,
    }),
  ),
  count: callback,
} satisfies OptionSchema<CostsOptions>;

/** Whether a value is a tool as lists have it, and not so deep that it cannot be written. */
export function isTool(value: unknown): value is ToolInList {
  const isLike = isObject(value) && typeof value['name'] === 'string' && isObject(value['inputSchema']);
  return isLike && isShallow(value, MOST_LEVELS);
}

/** What none of the figures has. */
const UNKNOWN = [
  'Requests of models that called no tool. Each of them read the list, too.',
  'How often a result is read again. It stays in its conversation, and counts once here.',
  'What hosts do: one that keeps prompts in a cache pays less for the list, and one that loads tools late reads less of it.',
  'What results are made of. The log has their bytes, so that an image counts as a text, and no budget can cut it.',
];

const WEEK = 7 * 86_400_000;

/** A change that saves less, in per cent, is not worth a test. */
const LEAST_PERCENT = 1;

const MOST_CHANGES = 3;

/**
 * Adds up what the tools of a server take of the context of models: their list, and their results. It says which changes
 * would save most. The figures are estimates: see `unknown`.
 *
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is no log
 *
 * @example
 * const { tools, changes } = await costsOf({ file: 'var/audit.jsonl', tools: await client.tools() });
 */
export async function costsOf(options: CostsOptions): Promise<ServerCosts> {
  const {
    file,
    filter = {},
    tools,
    count,
    onBroken,
    onNote,
  } = parseOptions('costsOf', costsOptions, options);
  const list = new ToolList(tools);
  const tally = new Tally((name) => list.partOf(name));
  for await (const record of queryAudit(present({ file, filter, onBroken, onNote }))) tally.add(record);
  const priced = list.shown.map((tool) => ({
    name: tool.name,
    tokens: tokensOfTool(tool, count),
    shorter: tokensOfTool(shorter(tool), count),
    largest: partsOfTool(tool, count)[0]![0],
  }));
  return { ...describe(priced, tally), leftOut: leftOutOf(list, tally) };
}

function describe(priced: readonly PricedTool[], tally: Tally): Omit<ServerCosts, 'leftOut'> {
  const { from, until, calls, requests, bytes } = tally;
  const weeks = Math.max(1, (until - from) / WEEK);
  const inAWeek = (tokens: number) => Math.round(tokens / weeks);
  const list = priced.reduce((sum, { tokens }) => sum + tokens, 0);
  const all = requests * list + tokensOfBytes(bytes);
  const changes = savingsOf({ tools: priced, tally })
    .map(({ tokens, requests: more, ...change }) => ({
      ...change,
      tokens: inAWeek(tokens),
      requests: inAWeek(more),
      percent: Math.round((100 * tokens) / all),
    }))
    .filter(({ percent }) => percent >= LEAST_PERCENT);
  return {
    from,
    until,
    weeks: Math.round(weeks * 10) / 10,
    calls,
    requests,
    list,
    tokens: inAWeek(all),
    byWeek: [...tally.weeks].map(([week, each]) => ({
      week,
      requests: each.requests,
      list: each.requests * list,
      results: tokensOfBytes(each.bytes),
    })),
    tools: toolsOf(priced, tally, inAWeek),
    changes: changes.slice(0, MOST_CHANGES),
    unknown: UNKNOWN,
  };
}

/** The tools of the list, and the others that were called. */
function toolsOf(
  priced: readonly PricedTool[],
  { tools: listed, unlisted, requests }: Tally,
  inAWeek: (tokens: number) => number,
): ToolCosts[] {
  const tools = new Map([...listed, ...unlisted]);
  const entries = new Map([
    ...[...tools.keys()].map((name) => [name, 0] as const),
    ...priced.map(({ name, tokens }) => [name, tokens] as const),
  ]);
  return [...entries]
    .map(([name, entry]) => {
      const { calls = 0, bytes = 0 } = tools.get(name) ?? {};
      const results = inAWeek(tokensOfBytes(bytes));
      return { name, entry, calls, list: inAWeek(requests * entry), results };
    })
    .sort((a, b) => b.list + b.results - (a.list + a.results));
}
