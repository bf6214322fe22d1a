import { AuditError } from '../errors/audit-error.js';
import type { AuditRecord } from '../record.js';
import { currentAnchors } from '../read/current-anchors.js';
import { exportAudit } from '../read/export-audit.js';
import { type AuditFilter, queryAudit } from '../read/query-audit.js';
import type { OnBroken } from '../read/read-since.js';
import { tailAudit } from '../read/tail-audit.js';
import {
  type AuditCommand,
  type CommandConsole,
  type CommandOption,
  type CommandValues,
  EXIT_OK,
  EXIT_PROBLEMS,
  runSafely,
} from './audit-command.js';
import { printable, writeHeading, writeRecord } from './record-table.js';
import { verifyCommand } from './verify-command.js';

/** The options that select records. */
const filterOptions: readonly CommandOption[] = [
  { flag: '--since <time>', description: 'from this time on: ISO 8601, or an age such as 90s, 15m, 2h, 7d' },
  { flag: '--until <time>', description: 'before this time, in the same form' },
  { flag: '--event <event>', description: 'intent, outcome, denied, limited or confirmed' },
  { flag: '--name <name>', description: 'of the tool, prompt or resource' },
  { flag: '--subject <subject>', description: 'of the principal' },
  { flag: '--tenant <tenant>', description: 'of the principal' },
  { flag: '--outcome <outcome>', description: 'ok, error, cancelled, timeout, …' },
  { flag: '--call <id>', description: 'all records of one call' },
  { flag: '--trace <id>', description: 'all records of one trace' },
  { flag: '--arguments <hmac>', description: 'calls with the arguments that have this digest' },
];

const EVENTS = ['intent', 'outcome', 'denied', 'limited', 'confirmed'] as const;
const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws AuditError `TW_AUDIT_OPTIONS` that names the option and its allowed values */
function parseFilter(values: CommandValues, now: number): AuditFilter {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const filter: AuditFilter = {
    since: parseTime('since', text('since'), now),
    until: parseTime('until', text('until'), now),
    event: EVENTS.find((event) => event === text('event')),
    name: text('name'),
    subject: text('subject'),
    tenant: text('tenant'),
    outcome: text('outcome'),
    callId: text('call'),
    traceId: text('trace'),
    argumentsHmac: text('arguments'),
  };
  if (text('event') !== undefined && !filter.event) throw wrong('event', `one of ${EVENTS.join(', ')}`);
  return filter;
}

/** Parses a whole number that is not negative. */
function parseCount(name: string, values: CommandValues, fallback: number): number {
  const value = values[name];
  if (typeof value !== 'string') return fallback;
  if (!/^\d{1,9}$/.test(value)) throw wrong(name, 'a number');
  return Number(value);
}

function parseTime(option: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const age = /^(\d+)([smhd])$/.exec(text);
  if (age) return now - Number(age[1]) * UNITS[age[2]!]!;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw wrong(option, 'a time such as 2026-07-28T09:00:00Z, or an age such as 2h');
  return time;
}

function wrong(option: string, expected: string): AuditError {
  return new AuditError('TW_AUDIT_OPTIONS', `--${option} takes ${expected}.`);
}

/** If the whole log was changed, only this many warnings are printed. */
const MOST_TOLD = 10;

/** Warns on the error stream that the output comes from a broken chain, and sets the exit code. */
function warnOfBreaks(console: CommandConsole): { onBroken: OnBroken; exitCode(): number } {
  let breaks = 0;
  return {
    onBroken(message) {
      breaks += 1;
      if (breaks <= MOST_TOLD) console.err(`The log is broken: ${printable(message)}\n`);
      if (breaks === 1) console.err('Do not rely on what is printed. See `toolwright audit verify`.\n');
    },
    exitCode: () => (breaks > 0 ? EXIT_PROBLEMS : EXIT_OK),
  };
}

const anchorCommand: AuditCommand = {
  name: 'anchor',
  description:
    'Print signed statements of where the log stands, to keep elsewhere and give to verify --anchors.',
  options: [],
  run(file, _values, console) {
    return runSafely(console, async () => {
      await console.out(`${JSON.stringify(await currentAnchors(file), null, 2)}\n`);
      return EXIT_OK;
    });
  },
};

const exportCommand: AuditCommand = {
  name: 'export',
  description: 'Print records for another program.',
  options: [...filterOptions, { flag: '--format <format>', description: 'jsonl (default) or csv' }],
  run(file, values, console) {
    return runSafely(console, async () => {
      const format = values['format'] ?? 'jsonl';
      if (format !== 'jsonl' && format !== 'csv') {
        throw new AuditError('TW_AUDIT_OPTIONS', '--format takes jsonl or csv.');
      }
      const breaks = warnOfBreaks(console);
      const filter = parseFilter(values, Date.now());
      for await (const line of exportAudit({ file, filter, format, onBroken: breaks.onBroken }))
        await console.out(line);
      return breaks.exitCode();
    });
  },
};

function writeFound(
  console: CommandConsole,
  record: AuditRecord,
  { json }: CommandValues,
): void | Promise<void> {
  return json ? console.out(`${JSON.stringify(record)}\n`) : writeRecord(console, record);
}

const queryCommand: AuditCommand = {
  name: 'query',
  description: 'Find records.',
  options: [
    ...filterOptions,
    { flag: '--limit <count>', description: 'at most so many' },
    { flag: '--json', description: 'print one JSON record per line' },
  ],
  run(file, values, console) {
    return runSafely(console, async () => {
      let left = parseCount('limit', values, Infinity);
      const breaks = warnOfBreaks(console);
      const filter = parseFilter(values, Date.now());
      if (!values['json']) await writeHeading(console);
      if (left === 0) return EXIT_OK;
      for await (const record of queryAudit({ file, filter, onBroken: breaks.onBroken })) {
        await writeFound(console, record, values);
        left -= 1;
        if (left === 0) break;
      }
      return breaks.exitCode();
    });
  },
};

const tailCommand: AuditCommand = {
  name: 'tail',
  description: 'Print records as they are written, until stopped.',
  options: [
    ...filterOptions,
    { flag: '--last <count>', description: 'begin with this many earlier records (default 10)' },
    { flag: '--json', description: 'print one JSON record per line' },
  ],
  run(file, values, console) {
    return runSafely(console, async () => {
      const last = parseCount('last', values, 10);
      const { onBroken, exitCode } = warnOfBreaks(console);
      const filter = parseFilter(values, Date.now());
      if (!values['json']) await writeHeading(console);
      for await (const record of tailAudit({ file, filter, last, signal: console.signal, onBroken })) {
        await writeFound(console, record, values);
      }
      return exitCode();
    });
  },
};

/** The sub-commands of `toolwright audit`. Each takes the log's file as its argument. */
export const auditCommands: readonly AuditCommand[] = [
  verifyCommand,
  queryCommand,
  exportCommand,
  tailCommand,
  anchorCommand,
];
