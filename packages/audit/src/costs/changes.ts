import { bytesOfTokens, count, tokensOfBytes } from '@toolwright/json';
import { LISTED_INSTEAD, shortLists } from './short-lists.js';
import type { Tally } from './tally.js';

/** What would save tokens, computed from the server's own tools and its own calls. */
export interface CostChange {
  readonly kind: 'search' | 'code' | 'output' | 'shorter';
  /** What it saves in a week, if nothing else changes. */
  readonly tokens: number;
  /** The same, in per cent of all tokens of a week. */
  readonly percent: number;
  /** How many more requests of models it takes in a week. Below 0: fewer. */
  readonly requests: number;
  /** What to do. */
  readonly advice: string;
  /** The figure is true if this holds. */
  readonly condition: string;
  /** The tools that it is about, the largest saving first. For `search`, the tools that stay in the list. */
  readonly tools: readonly string[];
}

/** A tool in the list. */
export interface PricedTool {
  readonly name: string;
  readonly tokens: number;
  /** The tokens of the same tool with less text. */
  readonly shorter: number;
  /** What takes most of it. */
  readonly largest: string;
}

/** What is known of a server. */
export interface Known {
  readonly tools: readonly PricedTool[];
  readonly tally: Tally;
}

/** A change with what it saves over the whole time. */
type Saving = Omit<CostChange, 'percent'>;

/** How many tools a change names. */
const NAMED = 3;

/** Every change that saves something, the largest saving first. Each is computed alone. */
export function savingsOf(known: Known): Saving[] {
  const isWhole = !known.tools.some(({ name }) => LISTED_INSTEAD.has(name));
  // A list that is short already says nothing of the tools behind it.
  const others = isWhole ? [withSearch(known), withCode(known)] : [];
  return [...others, withBudgets(known), withLessText(known)]
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens);
}

const number = (value: number) => value.toLocaleString('en-US');
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const listOf = (tools: readonly PricedTool[]) => sum(tools.map(({ tokens }) => tokens));

/** What a search gives at most: the largest tools. */
function answerOf(tools: readonly PricedTool[]): number {
  const sizes = tools.map(({ tokens }) => tokens).sort((a, b) => b - a);
  return sum(sizes.slice(0, shortLists.search.found));
}

/** A tool that is called often costs less in the list than its searches would. */
function withSearch({ tools, tally: { requests, tools: called } }: Known): Saving {
  const own = shortLists.search.tokens;
  const answer = answerOf(tools);
  const callsOf = ({ name }: PricedTool) => called.get(name)?.calls ?? 0;
  const stays = tools.filter((tool) => callsOf(tool) * (answer + own) > tool.tokens * requests);
  const searches = sum(tools.filter((tool) => !stays.includes(tool)).map(callsOf));
  const after = (requests + searches) * (own + listOf(stays)) + searches * answer;
  const names = stays.map(({ name }) => name);
  return {
    kind: 'search',
    tokens: requests * listOf(tools) - after,
    requests: searches,
    advice: `Add @toolwright/search with toolSearch: ${names.length > 0 ? `{ pinned: ${JSON.stringify(names)} }` : 'true'}.`,
    condition:
      'each call of a tool that is not pinned follows a search of its own, which finds the largest tools',
    tools: names,
  };
}

function withCode({ tools, tally }: Known): Saving {
  const { requests, programs, bytes, bytesOfEnds } = tally;
  const list = listOf(tools);
  const own = shortLists.code.tokens + Math.min(shortLists.code.declarations, list);
  const before = requests * list + tokensOfBytes(bytes);
  const after = programs * (2 * own + answerOf(tools)) + tokensOfBytes(bytesOfEnds);
  return {
    kind: 'code',
    tokens: before - after,
    requests: 2 * programs - requests,
    advice: 'Add @toolwright/code with codeMode: true, so that models read what their programs return.',
    condition:
      `each chain of calls becomes one search and one program, which returns as much as the last call did: ` +
      `up to ${shortLists.code.calls} calls of one principal that went well, each at most a minute after the one before it, ` +
      'count as one job of one model. Each other call is a program of its own',
    tools: [],
  };
}

/** Fewer results say nothing of what is usual. */
const LEAST_RESULTS = 20;

/** The share of results that a budget leaves whole. */
const WHOLE = 0.9;

/** Budgets are multiples of it. A smaller one would cut what nobody minds. */
const STEP = 1_000;

function withBudgets({ tally }: Known): Saving {
  const found = [...tally.tools]
    .filter(([name, { sizes }]) => sizes.count >= LEAST_RESULTS && !LISTED_INSTEAD.has(name))
    .map(([name, { sizes }]) => {
      const budget = Math.max(1, Math.ceil(tokensOfBytes(sizes.quantile(WHOLE)!) / STEP)) * STEP;
      return { name, budget, tokens: tokensOfBytes(sizes.over(bytesOfTokens(budget))) };
    });
  const most = theMost(found);
  const budgets = most.map(({ name, budget }) => `@MaxOutput({ tokens: ${budget} }) on ${name}`);
  return {
    kind: 'output',
    tokens: sum(most.map(({ tokens }) => tokens)),
    requests: 0,
    advice: `Set ${budgets.join(', ')}: at most a tenth of the results is larger.`,
    condition: 'no model asks for the rest of what is cut',
    tools: most.map(({ name }) => name),
  };
}

function withLessText({ tools, tally: { requests } }: Known): Saving {
  const all = tools
    .map((tool) => ({ tool, tokens: tool.tokens - tool.shorter }))
    .filter(({ tokens }) => tokens > 0);
  const most = theMost(all).map(({ tool }) => tool);
  const words = most.map(
    ({ name, tokens, shorter, largest }) =>
      `${name} (${number(shorter)} for ${number(tokens)} tokens; most is ${largest})`,
  );
  return {
    kind: 'shorter',
    tokens: requests * sum(all.map(({ tokens }) => tokens)),
    requests: 0,
    advice: `Write less in the list. ${count(all.length, 'tool')} can be shorter, above all ${words.join(', ')}.`,
    condition:
      'descriptions end after the first paragraph, and those in schemas after the first sentence, ' +
      'unused definitions go, and the schemas of results end at their outermost members',
    tools: most.map(({ name }) => name),
  };
}

function theMost<Each extends { readonly tokens: number }>(all: readonly Each[]): Each[] {
  return all
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, NAMED);
}
