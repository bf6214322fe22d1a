import type { TableCell } from '@toolwright/json';
import { systemClock } from '@toolwright/core/ports';
import { AuditError } from '../errors/audit-error.js';
import { type UsageKey, type UsageRow, usageKeys, usageOf } from '../usage/usage-of.js';
import { type AuditCommand, type CommandConsole, EXIT_OK, listOf, runSafely } from './audit-command.js';
import { filterOptions, parseFilter, warnOfBreaks } from './filter-options.js';
import { printable, printableJson } from './record-table.js';

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
    { flag: '--json', description: 'print the rows as JSON' },
  ],
  run(logs, values, console) {
    return runSafely(console, async () => {
      const file = listOf(logs);
      const by = parseKeys(values['by']);
      const breaks = warnOfBreaks(console);
      const filter = parseFilter(values, systemClock.now());
      const deprecated = values['deprecated'] === true;
      const rows = await usageOf({
        file,
        by,
        filter,
        deprecated,
        onBroken: breaks.onBroken,
        onNote: breaks.onNote,
      });
      if (values['json']) await console.out(`${printableJson(rows, 2)}\n`);
      else await writeTable(console, by, rows);
      return breaks.exitCode() || EXIT_OK;
    });
  },
};

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

async function writeTable(
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
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...table.map((cells) => cells[at]!.length)),
  );
  const write = (cells: readonly TableCell[]) =>
    console.row
      ? console.row(cells, widths)
      : console.out(
          `${cells
            .map(({ text }, at) => text.padEnd(widths[at]!))
            .join(' ')
            .trimEnd()}\n`,
        );
  await write(titles.map((text) => ({ text, tone: 'title' })));
  for (const cells of table) await write(cells.map((text) => ({ text })));
}
