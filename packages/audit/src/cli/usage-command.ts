import type { CommandValues } from '@toolwright/json';
import { systemClock } from '@toolwright/core/ports';
import { costsOf } from '../costs/costs-of.js';
import { AuditError } from '../errors/audit-error.js';
import { type UsageKey, type UsageOptions, type UsageRow, usageKeys, usageOf } from '../usage/usage-of.js';
import { type AuditCommand, type CommandConsole, EXIT_OK, listOf, runSafely } from './audit-command.js';
import { filterOptions, parseFilter, warnOfBreaks } from './filter-options.js';
import { printable, printableJson } from './record-table.js';
import { writeTable } from './text-table.js';
import { readTools, writeCosts } from './usage-costs.js';

/** Records of what is still running, and of one call, say nothing about usage. */
const SELECTING = [
  '--since <time>',
  '--until <time>',
  '--name <name>',
  '--subject <subject>',
  '--tenant <tenant>',
];

/** `toolwright usage`: who calls which tool, how often, with what result. */
export const usageCommand: AuditCommand = {
  name: 'usage',
  description: 'show calls, errors, latency and tokens of tools, from one or several audit logs',
  takesTables: true,
  options: [
    { flag: '--by <keys>', description: `some of ${usageKeys.join(', ')}, with commas (default: tool)` },
    ...filterOptions.filter(({ flag }) => SELECTING.includes(flag)),
    { flag: '--deprecated', description: 'only calls of deprecated tools and of old versions' },
    {
      flag: '--tools <file>',
      description:
        'what this list of tools (toolwright list --json) and its results cost, and what would save most',
    },
    { flag: '--json', description: 'print the rows as JSON' },
  ],
  run(logs, values, console) {
    return runSafely(console, async () => {
      const breaks = warnOfBreaks(console);
      const filter = parseFilter(values, systemClock.now());
      const asked = { file: listOf(logs), filter, onBroken: breaks.onBroken, onNote: breaks.onNote };
      const tools = values['tools'];
      if (typeof tools === 'string') await showCosts({ ...asked, tools }, values, console);
      else await showUsage(asked, values, console);
      return breaks.exitCode() || EXIT_OK;
    });
  },
};

type Asked = Pick<UsageOptions, 'file' | 'filter' | 'onBroken' | 'onNote'>;

async function showUsage(asked: Asked, values: CommandValues, console: CommandConsole): Promise<void> {
  const by = parseKeys(values['by']);
  const rows = await usageOf({ ...asked, by, deprecated: values['deprecated'] === true });
  if (values['json']) await console.out(`${printableJson(rows, 2)}\n`);
  else await writeRows(console, by, rows);
}

/** These choose among calls. A list is read for all of them. */
const FOR_ROWS = ['by', 'name', 'deprecated'];

async function showCosts(
  { tools: file, ...asked }: Asked & { readonly tools: string },
  values: CommandValues,
  console: CommandConsole,
): Promise<void> {
  const other = FOR_ROWS.find((name) => values[name] !== undefined);
  if (other !== undefined)
    throw new AuditError(
      'TW_AUDIT_OPTIONS',
      `--${other} does not go with --tools: all tools share one list.`,
    );
  const count = await console.countTokens?.();
  const costs = await costsOf({ ...asked, tools: readTools(file), ...(count && { count }) });
  const counted = count ? 'o200k' : 'four bytes a token';
  if (values['json']) await console.out(`${printableJson({ counted, ...costs }, 2)}\n`);
  else await writeCosts(console, costs, counted);
}

function parseKeys(value: string | boolean | undefined): UsageKey[] {
  if (typeof value !== 'string') return ['tool'];
  const keys = value.split(',').map((key) => key.trim());
  const wrong = keys.find((key) => !usageKeys.includes(key as UsageKey));
  if (wrong === undefined) return keys as UsageKey[];
  throw new AuditError('TW_AUDIT_OPTIONS', `--by takes some of ${usageKeys.join(', ')}, with commas.`);
}

const figures: readonly (readonly [title: string, read: (row: UsageRow) => string])[] = [
  ['CALLS', ({ calls }) => String(calls)],
  ['ERRORS', ({ errors }) => String(errors)],
  ['REFUSED', ({ refused }) => String(refused)],
  ['P50 MS', ({ p50Ms }) => (p50Ms === undefined ? '' : String(p50Ms))],
  ['P95 MS', ({ p95Ms }) => (p95Ms === undefined ? '' : String(p95Ms))],
  ['TOKENS', ({ tokens }) => String(tokens)],
  // The day, so that a row with a usual name fits on a screen. The JSON has the time.
  ['LAST USED', ({ lastUsed }) => new Date(lastUsed).toISOString().slice(0, 10)],
];

/** A tool with versions is not deprecated because one of them is. */
function deprecatedPart({ deprecated, deprecatedCalls }: UsageRow): string {
  if (deprecatedCalls === 0) return '';
  return deprecated ? ' (deprecated)' : ` (${deprecatedCalls} deprecated)`;
}

async function writeRows(
  console: CommandConsole,
  by: readonly UsageKey[],
  rows: readonly UsageRow[],
): Promise<void> {
  if (rows.length === 0) return void (await console.out('The log has no such calls of tools.\n'));
  const titles = [...by.map((key) => key.toUpperCase()), ...figures.map(([title]) => title)];
  const table = rows.map((row) => [
    ...by.map((key) => `${printable(row.keys[key] || '-')}${key === by[0] ? deprecatedPart(row) : ''}`),
    ...figures.map(([, read]) => read(row)),
  ]);
  await writeTable(console, titles, table);
}
