import { getOrMake, present, tokensOfBytes } from '@toolwright/json';
import { type OptionRule, type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import type { AuditRecord, ResultDigest } from '../record.js';
import type { OnNote } from '../read/merge-records.js';
import type { AuditFilter } from '../read/audit-filter.js';
import { queryAudit, type QueryOptions, queryOptions } from '../read/query-audit.js';
import type { OnBroken } from '../read/read-since.js';
import { Amounts } from './amounts.js';

/** What usage can be grouped by. */
export type UsageKey = 'tool' | 'version' | 'client' | 'tenant' | 'subject' | 'week';

export const usageKeys: readonly UsageKey[] = ['tool', 'version', 'client', 'tenant', 'subject', 'week'];

/** What one group of calls came to. */
export interface UsageRow {
  /** The value of each key that was asked for. A missing one, such as the tenant of a caller without one, is `''`. */
  readonly keys: Readonly<Partial<Record<UsageKey, string>>>;
  /** Calls that ended, the refused ones included. */
  readonly calls: number;
  /** Calls that failed: `error`, `timeout`, `invalid` arguments. */
  readonly errors: number;
  /** Calls that a guard refused: scopes, limits. */
  readonly refused: number;
  /** Milliseconds. `undefined` if no call of the group ran. Both are exact to about 3 %. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** What the results took of conversations: four bytes of a result are one token. */
  readonly tokens: number;
  /** When the last call ended, in milliseconds since the epoch. */
  readonly lastUsed: number;
  /** The tool, or its version, was deprecated at each of the calls. */
  readonly deprecated: boolean;
  /** The number of calls at which it was deprecated. */
  readonly deprecatedCalls: number;
}

export interface UsageOptions {
  /** The file of the log, or a list of logs, as for `queryAudit`. */
  file: QueryOptions['file'];
  filter?: AuditFilter;
  /** Default: by tool. */
  by?: readonly UsageKey[];
  /** Only calls of what was deprecated at that time. */
  deprecated?: boolean;
  onBroken?: OnBroken;
  onNote?: OnNote;
}

const someKeys: OptionRule = {
  expected: `a list of some of ${usageKeys.join(', ')}`,
  accepts: (value) => Array.isArray(value) && value.every((key) => usageKeys.includes(key as UsageKey)),
};

const usageOptions = {
  ...queryOptions,
  by: someKeys,
  deprecated: optionRules.flag,
} satisfies OptionSchema<UsageOptions>;

/**
 * Adds up the calls of tools in an audit log. Memory grows with the number of groups, and not with the log.
 *
 * @returns the groups, those with most calls first
 * @throws AuditError `TW_AUDIT_NOT_FOUND` if there is no log
 *
 * @example
 * const rows = await usageOf({ file, by: ['tool', 'client'], filter: { since: Date.now() - 7 * 86_400_000 } });
 */
export async function usageOf(options: UsageOptions): Promise<UsageRow[]> {
  const {
    file,
    filter = {},
    by = ['tool'],
    deprecated,
    onBroken,
    onNote,
  } = parseOptions('usageOf', usageOptions, options);
  const groups = new Map<string, Group>();
  for await (const record of queryAudit(present({ file, filter, onBroken, onNote }))) {
    if (!isEnd(record) || (deprecated && !record.deprecated)) continue;
    const keys = Object.fromEntries(by.map((key) => [key, readers[key](record)]));
    const id = JSON.stringify(Object.values(keys));
    const group = getOrMake(groups, id, () => new Group(keys));
    group.add(record);
  }
  return [...groups.values()].map((group) => group.row()).sort((a, b) => b.calls - a.calls);
}

/** How many bytes of a result a model reads. */
export const bytesRead = (result: ResultDigest | null | undefined): number =>
  result?.read ?? result?.bytes ?? 0;

/** A call of a tool has one record of its end. Others say that it began, or that somebody confirmed it. */
export function isEnd({ operation, event }: AuditRecord): boolean {
  return operation === 'tool' && event !== 'intent' && event !== 'confirmed';
}

/** A guard has refused the call. */
export const isRefusal = (event: AuditRecord['event']): boolean => event === 'denied' || event === 'limited';

const readers: Readonly<Record<UsageKey, (record: AuditRecord) => string>> = {
  tool: ({ name }) => name,
  version: ({ version = '' }) => version,
  client: clientOf,
  tenant: ({ principal }) => principal?.tenant ?? '',
  subject: ({ principal }) => principal?.subject ?? '',
  week: ({ time }) => weekOf(time),
};

/** The client that a token names. Without one, what the client says about itself, which anybody may say. */
function clientOf({ principal, untrustedClient }: AuditRecord): string {
  if (principal?.clientId) return principal.clientId;
  return untrustedClient?.name === undefined ? '' : `${untrustedClient.name} (as it says)`;
}

const DAY = 86_400_000;

/** The week of ISO 8601: `2026-W48`. It belongs to the year that has its Thursday. */
export function weekOf(time: number): string {
  const weekday = (new Date(time).getUTCDay() + 6) % 7;
  const thursday = new Date(time + (3 - weekday) * DAY);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

class Group {
  private calls = 0;
  private errors = 0;
  private refused = 0;
  private bytes = 0;
  private lastUsed = 0;
  private deprecatedCalls = 0;
  private readonly durations = new Amounts();

  constructor(private readonly keys: UsageRow['keys']) {}

  add({ event, outcome, count = 1, durationMs, result, time, deprecated }: AuditRecord): void {
    this.calls += count;
    if (isRefusal(event)) this.refused += count;
    else if (outcome !== 'ok' && outcome !== 'cancelled') this.errors += count;
    // A refusal takes no time, and would hide how long calls take.
    if (event === 'outcome' && durationMs !== undefined) this.durations.add(durationMs);
    this.bytes += bytesRead(result);
    this.lastUsed = Math.max(this.lastUsed, time);
    if (deprecated) this.deprecatedCalls += count;
  }

  row(): UsageRow {
    const { keys, calls, errors, refused, lastUsed, deprecatedCalls, durations } = this;
    const [p50Ms, p95Ms] = [durations.quantile(0.5), durations.quantile(0.95)];
    return {
      keys,
      calls,
      errors,
      refused,
      lastUsed,
      deprecated: deprecatedCalls === calls,
      deprecatedCalls,
      ...(p50Ms !== undefined && { p50Ms }),
      ...(p95Ms !== undefined && { p95Ms }),
      tokens: tokensOfBytes(this.bytes),
    };
  }
}
