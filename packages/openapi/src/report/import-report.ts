import type { ApiPlan } from '../model/plan-operations.js';
import type { PlannedOperation, SkippedOperation } from '../model/planned-operation.js';
import { likePages } from '../model/find-paging.js';
import { contractOf, tokensOf } from '../model/tool-contract.js';
import type { JsonSchema } from '../model/schema-facts.js';

/** What an import makes of a specification, for people and programs. */
export interface ImportReport {
  /** How many operations the specification has, and how many become tools. */
  readonly operations: number;
  readonly tools: number;
  readonly skipped: readonly SkippedOperation[];
  readonly tokens: {
    readonly counted: 'bytes/4';
    readonly total: number;
    readonly median: number;
    readonly largest: readonly { readonly tool: string; readonly tokens: number }[];
  };
  /** Arguments whose values are never shown again. */
  readonly sensitive: readonly { readonly tool: string; readonly argument: string }[];
  /** Tools that differ only by where they look: one tool could do the work of all. */
  readonly alike: readonly (readonly string[])[];
  /** What was read otherwise than it is written: a line each, with its place. */
  readonly notes: readonly string[];
  /** Tools that read the pages of a list themselves, and what of the specification shows that it has pages. */
  readonly pages: readonly { readonly tool: string; readonly by: string; readonly evidence: string }[];
  /** Arguments that are named like pages, with nothing that shows what they mean: callers get them as they are. */
  readonly notPages: readonly { readonly tool: string; readonly arguments: readonly string[] }[];
}

const LARGEST = 5;
const SHOWN_NOTES = 5;

export function reportOf(plan: ApiPlan): ImportReport {
  const sizes = plan.operations.map((each) => ({
    tool: each.toolName,
    tokens: tokensOf(contractOf(each, plan)),
  }));
  const sorted = [...sizes].sort((a, b) => b.tokens - a.tokens);
  return {
    operations: plan.total,
    tools: plan.operations.length,
    skipped: plan.skipped,
    tokens: {
      counted: 'bytes/4',
      total: sizes.reduce((sum, { tokens }) => sum + tokens, 0),
      median: sorted[Math.floor(sorted.length / 2)]?.tokens ?? 0,
      largest: sorted.slice(0, LARGEST),
    },
    sensitive: plan.operations.flatMap((each) => sensitiveIn(each, plan)),
    alike: alikeIn(plan.operations),
    notes: plan.notes,
    pages: plan.operations.flatMap(({ toolName: tool, paging }) =>
      paging ? [{ tool, by: `${paging.by} ${paging.at}`, evidence: paging.evidence }] : [],
    ),
    notPages: plan.operations.flatMap(({ toolName: tool, method, paging, arguments: all }) => {
      const names = paging || method !== 'GET' ? [] : likePages(all);
      return names.length > 0 ? [{ tool, arguments: names }] : [];
    }),
  };
}

function sensitiveIn(operation: PlannedOperation, plan: ApiPlan): { tool: string; argument: string }[] {
  const { inputSchema } = contractOf(operation, plan);
  const found = (schema: JsonSchema, path: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
      const at = path === '' ? name : `${path}.${name}`;
      return each['writeOnly'] === true ? [at] : found(each, at);
    });
  return found(inputSchema, '').map((argument) => ({ tool: operation.toolName, argument }));
}

/** Reading tools with the same last word of the path and the same arguments, apart from those of the path. */
function alikeIn(operations: readonly PlannedOperation[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { method, path, toolName, arguments: all, result } of operations) {
    if (method !== 'GET' || result.kind !== 'json' || /\}$/.test(path)) continue;
    const others = all.filter((each) => each.in !== 'path').map(({ name }) => name);
    const type = JSON.stringify(result.schema);
    const key = [path.split('/').at(-1), type, ...others.sort()].join(' ');
    groups.set(key, [...(groups.get(key) ?? []), toolName]);
  }
  return [...groups.values()].filter(({ length }) => length >= 3);
}

/** The report as lines for a terminal. */
export function reportLines(report: ImportReport): string[] {
  const { operations, tools, tokens, skipped, sensitive, alike, pages, notPages, notes } = report;
  const reasons = new Map<string, number>();
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [
    `${tools} of ${operations} operations become tools: about ${number(tokens.total)} tokens, ${tokens.median} in the middle.`,
    ...(tokens.largest.length > 0
      ? [
          `The largest: ${tokens.largest.map(({ tool, tokens: size }) => `${tool} ${number(size)}`).join(', ')}.`,
        ]
      : []),
    ...[...reasons].map(([reason, count]) => `Left out: ${count} (${reason}).`),
    ...(sensitive.length > 0
      ? [
          `Sensitive: ${sensitive
            .slice(0, 8)
            .map(({ tool, argument }) => `${tool} ${argument}`)
            .join(', ')}${sensitive.length > 8 ? ' …' : ''}.`,
        ]
      : []),
    ...(pages.length > 0
      ? [`Pages: ${pages.length} tools read them (${shortList(pages.map(pageText))}).`]
      : []),
    ...(notPages.length > 0
      ? [
          `Not read as pages, because nothing shows how they are counted: ${shortList(
            notPages.map((each) => `${each.tool} ${each.arguments.join(', ')}`),
          )}.`,
        ]
      : []),
    ...alike
      .slice(0, 5)
      .map((names) => `These ${names.length} differ only by where they look: ${names.join(', ')}.`),
    ...notes.slice(0, SHOWN_NOTES),
    ...(notes.length > SHOWN_NOTES
      ? [`And ${notes.length - SHOWN_NOTES} more notes, which --report writes.`]
      : []),
    ...(tokens.total > MANY
      ? [`A model reads all of that in each conversation. --include chooses: by tag, by path, by name.`]
      : []),
  ];
}

const pageText = ({ tool, by, evidence }: ImportReport['pages'][number]) => `${tool} by ${by}: ${evidence}`;

/** The first of many, for a terminal. The report as JSON has all. */
const shortList = (texts: readonly string[]) =>
  `${texts.slice(0, 3).join('; ')}${texts.length > 3 ? ' …' : ''}`;

/** More than this fills a context. It is the budget of `toolwright lint`. */
const MANY = 10_000;

const number = (value: number) => value.toLocaleString('en-US');
