import type { CommandOption, CommandValues } from '@toolwright/json';
import { type Duration, optionRules } from '@toolwright/core/options';
import { AuditError } from '../errors/audit-error.js';
import type { AuditFilter } from '../read/audit-filter.js';
import type { OnNote } from '../read/merge-records.js';
import type { OnBroken } from '../read/read-since.js';
import { type CommandConsole, EXIT_OK, EXIT_PROBLEMS } from './audit-command.js';
import { printable } from './record-table.js';

/** The options that select records. */
export const filterOptions: readonly CommandOption[] = [
  { flag: '--since <time>', description: 'from this time on: ISO 8601, or an age such as 90s, 15m, 2h, 7d' },
  { flag: '--until <time>', description: 'before this time, in the same form' },
  { flag: '--event <event>', description: 'intent, outcome, denied, limited or confirmed' },
  { flag: '--name <name>', description: 'of the tool, prompt or resource' },
  { flag: '--subject <subject>', description: 'of the principal' },
  { flag: '--tenant <tenant>', description: 'of the principal' },
  { flag: '--outcome <outcome>', description: 'ok, error, cancelled, timeout, …' },
  { flag: '--call <id>', description: 'all records of one call' },
  { flag: '--parent <id>', description: 'the calls that were made inside of one call' },
  { flag: '--program <digest>', description: 'what one program did' },
  { flag: '--trace <id>', description: 'all records of one trace' },
  { flag: '--arguments <hmac>', description: 'calls with the arguments that have this digest' },
];

const EVENTS = ['intent', 'outcome', 'denied', 'limited', 'confirmed'] as const;

/** @throws AuditError `TW_AUDIT_OPTIONS` that names the option and its allowed values */
export function parseFilter(values: CommandValues, now: number): AuditFilter {
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
    parent: text('parent'),
    program: text('program'),
    traceId: text('trace'),
    argumentsHmac: text('arguments'),
  };
  if (text('event') !== undefined && !filter.event) throw wrong('event', `one of ${EVENTS.join(', ')}`);
  return filter;
}

function parseTime(option: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (optionRules.duration.accepts(text)) return now - optionRules.parseDuration(text as Duration);
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw wrong(option, 'a time such as 2026-07-28T09:00:00Z, or an age such as 2h');
  return time;
}

export function wrong(option: string, expected: string): AuditError {
  return new AuditError('TW_AUDIT_OPTIONS', `--${option} takes ${expected}.`);
}

/** If the whole log was changed, only this many warnings are printed. */
const MOST_NOTES = 10;

/** Warns on the error stream that the output comes from a broken chain, and sets the exit code. */
export function warnOfBreaks(console: CommandConsole): {
  onBroken: OnBroken;
  onNote: OnNote;
  exitCode(): number;
} {
  let breaks = 0;
  let notes = 0;
  return {
    onNote(message) {
      notes += 1;
      if (notes <= MOST_NOTES) console.err(`Note: ${printable(message)}\n`);
    },
    onBroken(message) {
      breaks += 1;
      if (breaks <= MOST_NOTES) console.err(`The log is broken: ${printable(message)}\n`);
      if (breaks === 1) console.err('Do not rely on what is printed. See `toolwright audit verify`.\n');
    },
    exitCode: () => (breaks > 0 ? EXIT_PROBLEMS : EXIT_OK),
  };
}
