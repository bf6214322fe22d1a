import type { CommandValues } from '@toolwright/json';
import { systemClock } from '@toolwright/core/ports';
import { AuditError } from '../errors/audit-error.js';
import type { AuditRecord } from '../record.js';
import { currentAnchors } from '../read/current-anchors.js';
import { exportAudit } from '../read/export-audit.js';
import { queryAudit } from '../read/query-audit.js';
import { tailAudit } from '../read/tail-audit.js';
import {
  type AuditCommand,
  type CommandConsole,
  EXIT_OK,
  listOf,
  filesOf,
  runSafely,
} from './audit-command.js';
import { printableJson, writeHeading, writeRecord } from './record-table.js';
import { filterOptions, parseFilter, warnOfBreaks, wrong } from './filter-options.js';
import { verifyCommand } from './verify-command.js';

/** Parses a whole number that is not negative. */
function parseCount(name: string, values: CommandValues, fallback: number): number {
  const value = values[name];
  if (typeof value !== 'string') return fallback;
  if (!/^\d{1,9}$/.test(value)) throw wrong(name, 'a number');
  return Number(value);
}

const anchorCommand: AuditCommand = {
  name: 'anchor',
  description:
    'Print signed statements of where one or several logs stand, to keep elsewhere and give to verify --anchors.',
  options: [],
  run(logs, _values, console) {
    return runSafely(console, async () => {
      const file = filesOf(logs, 'anchor the logs');
      await console.out(`${printableJson(await currentAnchors(file), 2)}\n`);
      return EXIT_OK;
    });
  },
};

const exportCommand: AuditCommand = {
  name: 'export',
  description: 'Print records for another program, of one or several logs.',
  takesTables: true,
  options: [...filterOptions, { flag: '--format <format>', description: 'jsonl (default) or csv' }],
  run(logs, values, console) {
    return runSafely(console, async () => {
      const file = listOf(logs);
      const format = values['format'] ?? 'jsonl';
      if (format !== 'jsonl' && format !== 'csv') {
        throw new AuditError('TW_AUDIT_OPTIONS', '--format takes jsonl or csv.');
      }
      const breaks = warnOfBreaks(console);
      const filter = parseFilter(values, systemClock.now());
      for await (const line of exportAudit({
        file,
        filter,
        format,
        onBroken: breaks.onBroken,
        onNote: breaks.onNote,
      }))
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
  return json ? console.out(`${printableJson(record)}\n`) : writeRecord(console, record);
}

const queryCommand: AuditCommand = {
  name: 'query',
  description: 'Find records in one or several logs.',
  takesTables: true,
  options: [
    ...filterOptions,
    { flag: '--limit <count>', description: 'at most so many' },
    { flag: '--json', description: 'print one JSON record per line' },
  ],
  run(logs, values, console) {
    return runSafely(console, async () => {
      const file = listOf(logs);
      let left = parseCount('limit', values, Infinity);
      const breaks = warnOfBreaks(console);
      const filter = parseFilter(values, systemClock.now());
      if (!values['json']) await writeHeading(console);
      if (left === 0) return EXIT_OK;
      for await (const record of queryAudit({
        file,
        filter,
        onBroken: breaks.onBroken,
        onNote: breaks.onNote,
      })) {
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
  description: 'Print records of one or several logs as they are written, until stopped.',
  options: [
    ...filterOptions,
    { flag: '--last <count>', description: 'begin with this many earlier records (default 10)' },
    { flag: '--json', description: 'print one JSON record per line' },
  ],
  run(logs, values, console) {
    return runSafely(console, async () => {
      const file = filesOf(logs, 'follow the logs');
      const last = parseCount('last', values, 10);
      const { onBroken, exitCode } = warnOfBreaks(console);
      const filter = parseFilter(values, systemClock.now());
      if (!values['json']) await writeHeading(console);
      for await (const record of tailAudit({ file, filter, last, signal: console.signal, onBroken })) {
        await writeFound(console, record, values);
      }
      return exitCode();
    });
  },
};

/** The sub-commands of `toolwright audit`. Each takes the files of logs as its arguments. */
export const auditCommands: readonly AuditCommand[] = [
  verifyCommand,
  queryCommand,
  exportCommand,
  tailCommand,
  anchorCommand,
];
