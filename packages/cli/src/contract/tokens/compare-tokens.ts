import { type CountTokens, didYouMean } from '@toolwright/json';
import { count } from '@toolwright/operate/terminal';
import { bareName } from '../audiences.js';
import type { ContractChange, ToolChange } from '../change.js';
import type { TokenCounts, ToolContract } from '../lock-file.js';
import { adviceForList, adviceForTool } from './advice.js';
import type { TokenSettings } from './token-settings.js';

/** Without a setting, a tool and the list may grow by a quarter, and at least by this number of tokens. */
const SLACK = { tool: 100, list: 500 };

/** The row of the whole list has this name. A tool cannot have it, because of the blank. */
const LIST = 'all tools';

interface Compared {
  /** What the lock says. Missing in locks of earlier releases. */
  readonly before: TokenCounts | undefined;
  readonly after: TokenCounts;
  /** The tools in the form in which the list shows them. */
  readonly tools: readonly ToolContract[];
  /** The tools that only some callers see. */
  readonly forOthers?: readonly ToolContract[];
  readonly settings: TokenSettings;
  readonly count: CountTokens;
}

/** What grew past its budget, with the words that say what to cut or to merge. */
export function compareTokens(compared: Compared): ToolChange[] {
  const { after, tools, forOthers = [], count: counter } = compared;
  const over = [...tools, ...forOthers].flatMap((tool): ToolChange[] => {
    const tokens = after.tools[tool.name];
    const budget = budgetOf(tool.name, compared);
    if (tokens === undefined || budget === undefined || tokens <= budget.tokens) return [];
    return [{ tool: tool.name, ...overBudget(tokens, budget, adviceForTool(tool, counter)) }];
  });
  const budget = listBudget(compared);
  if (!budget || after.total <= budget.tokens) return over;
  return [{ tool: LIST, ...overBudget(after.total, budget, adviceForList(tools, after)) }, ...over];
}

/** Budgets of tools that do not exist. A misspelt one would never fail. */
export function withoutTools({ tools = {} }: TokenSettings, known: readonly ToolContract[]): ToolChange[] {
  const names = known.map(({ name }) => name);
  return Object.keys(tools)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      tool: name,
      impact: 'budget',
      path: '/tokens',
      message: `has a budget in package.json, and no tool has this name.${didYouMean(name, names)}`,
    }));
}

interface Budget {
  readonly tokens: number;
  /** Where the number comes from. */
  readonly from: string;
}

function budgetOf(name: string, { before, settings }: Compared): Budget | undefined {
  const { tool, tools = {} } = settings;
  const bare = bareName(name);
  const own = Object.hasOwn(tools, bare) ? tools[bare] : tool;
  if (own !== undefined) return { tokens: own, from: 'package.json' };
  return grown(before?.tools[name], SLACK.tool);
}

function listBudget({ before, settings: { list } }: Compared): Budget | undefined {
  return list === undefined ? grown(before?.total, SLACK.list) : { tokens: list, from: 'package.json' };
}

function grown(was: number | undefined, slack: number): Budget | undefined {
  if (was === undefined) return undefined;
  return {
    tokens: was + Math.max(slack, Math.floor(was / 4)),
    from: `the lock: ${count(was, 'token')} before`,
  };
}

function overBudget(tokens: number, budget: Budget, advice: string): ContractChange {
  const allowed = `${number(budget.tokens)} are allowed (${budget.from})`;
  return {
    impact: 'budget',
    path: '/tokens',
    message: `takes ${number(tokens)} tokens, ${allowed}. ${advice}`,
  };
}

const number = (value: number) => value.toLocaleString('en-US');
