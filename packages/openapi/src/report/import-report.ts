import { tokensOfTool } from '@toolwright/json';
import type { ApiPlan } from '../model/plan-operations.js';
import { LIMIT, type PlannedOperation, type SkippedOperation } from '../model/planned-operation.js';
import { likePages } from '../model/find-paging.js';
import { contractOf } from '../model/tool-contract.js';
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
  /** What was read otherwise than it is written, or left out: a line each, with its place. */
  readonly notes: readonly string[];
  /** Whole addresses of operations that are not below the one of the API. The client sends its credentials there, too. */
  readonly addresses: readonly { readonly address: string; readonly tools: readonly string[] }[];
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
    tokens: tokensOfTool(contractOf(each, plan)),
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
    addresses: addressesIn(plan.operations),
    pages: plan.operations.flatMap(({ toolName: tool, paging }) =>
      paging ? [{ tool, by: `${paging.by} ${paging.at}`, evidence: paging.evidence }] : [],
    ),
    notPages: plan.operations.flatMap(({ toolName: tool, method, paging, arguments: all }) => {
      const names = paging || method !== 'GET' ? [] : likePages(all);
      return names.length > 0 ? [{ tool, arguments: names }] : [];
    }),
  };
}

/** The addresses that operations have for themselves, with the tools that use them. */
export function addressesIn(operations: readonly PlannedOperation[]): ImportReport['addresses'] {
  const found = new Map<string, string[]>();
  for (const { baseUrl, toolName } of operations)
    if (baseUrl !== undefined && !baseUrl.startsWith('/'))
      found.set(baseUrl, [...(found.get(baseUrl) ?? []), toolName]);
  return [...found].map(([address, tools]) => ({ address, tools }));
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
  const { operations, tools, tokens, sensitive, alike, pages, addresses } = report;
  return [
    `${tools} of ${operations} operations become tools: about ${number(tokens.total)} tokens, ${tokens.median} in the middle.`,
    ...(tokens.largest.length > 0
      ? [
          `The largest: ${tokens.largest.map(({ tool, tokens: size }) => `${tool} ${number(size)}`).join(', ')}.`,
        ]
      : []),
    ...skippedLines(report),
    ...(sensitive.length > 0
      ? [
          `Sensitive: ${sensitive
            .slice(0, 8)
            .map(({ tool, argument }) => `${tool} ${argument}`)
            .join(', ')}${sensitive.length > 8 ? ' …' : ''}.`,
        ]
      : []),
    ...(pages.length > 0
      ? [
          `Pages: ${pages.length} tools read them (${shortList(pages.map(pageText))}).`,
          `A call of these gives at most ${LIMIT.initial} items, or as many as its limit says, up to ${number(LIMIT.most)}. It says if there are more.`,
        ]
      : []),
    ...notPagesLines(report),
    ...(addresses.length > 0
      ? [
          `Credentials go to these addresses, too: ${shortList(
            addresses.map(({ address, tools: users }) => `${address} (${users.length} tools)`),
          )}.`,
        ]
      : []),
    ...alike
      .slice(0, 5)
      .map((names) => `These ${names.length} differ only by where they look: ${names.join(', ')}.`),
    ...noteLines(report, '--report writes'),
    ...(tokens.total > MANY
      ? [`A model reads all of that in each conversation. --include chooses: by tag, by path, by name.`]
      : []),
  ];
}

/** What somebody who adds the tools at run time would not see otherwise. Operations that the author left out are not among it. */
export function remarksOf(report: ImportReport): string[] {
  const left = new Map<string, string[]>();
  for (const { operation, reason } of report.skipped)
    if (reason !== 'excluded' && reason !== 'not included')
      left.set(reason, [...(left.get(reason) ?? []), operation]);
  return [
    ...[...left].map(
      ([reason, all]) =>
        `Left out: ${all.length} (${reason.replaceAll('--include', '"include"')}): ${shortList(all)}.`,
    ),
    ...notPagesLines(report),
    ...noteLines(report, '"toolwright import openapi --report" writes'),
  ];
}

function skippedLines({ skipped }: ImportReport): string[] {
  const reasons = new Map<string, number>();
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [...reasons].map(([reason, count]) => `Left out: ${count} (${reason}).`);
}

function notPagesLines({ notPages }: ImportReport): string[] {
  if (notPages.length === 0) return [];
  const all = notPages.map((each) => `${each.tool} ${each.arguments.join(', ')}`);
  return [`Not read as pages, because nothing shows how they are counted: ${shortList(all)}.`];
}

const noteLines = ({ notes }: ImportReport, where: string): string[] => [
  ...notes.slice(0, SHOWN_NOTES),
  ...(notes.length > SHOWN_NOTES ? [`And ${notes.length - SHOWN_NOTES} more notes, which ${where}.`] : []),
];

const pageText = ({ tool, by, evidence }: ImportReport['pages'][number]) => `${tool} by ${by}: ${evidence}`;

/** The first of many, for a terminal. The report as JSON has all. */
const shortList = (texts: readonly string[]) =>
  `${texts.slice(0, 3).join('; ')}${texts.length > 3 ? ' …' : ''}`;

/** More than this fills a context. It is the budget of `toolwright lint`. */
const MANY = 10_000;

const number = (value: number) => value.toLocaleString('en-US');
