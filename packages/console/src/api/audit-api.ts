import type { ChainLink, ServerCosts, UsageKey, UsageRow, VerifyReport } from '@toolwright/audit';
import type { Awaitable, OnServer } from './overview-api.js';

/** One record of the log, as its file has it. */
export interface AuditEntry {
  /** The number within its writer. */
  readonly seq: number;
  readonly id: string;
  readonly writer: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: string;
  readonly operation: string;
  readonly name: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly principal: { readonly subject?: string } | null;
  readonly [field: string]: unknown;
}

export interface AuditQuery extends OnServer {
  /** The name of the tool, prompt or resource. */
  readonly name?: string;
  readonly subject?: string;
  readonly outcome?: string;
  /** Words that the record contains, in whatever case. */
  readonly text?: string;
  /** At most as many; the latest come first. */
  readonly limit: number;
  /** `next` of the page before. */
  readonly before?: string;
}

export interface AuditPage {
  /** The files and tables, with commas between them. */
  readonly file?: string;
  readonly records: readonly AuditEntry[];
  /** What to pass as `before` for the next page. Left out on the last page. A page may be empty and have a next one. */
  readonly next?: string;
  /** What is to be known of the logs, such as one that is not there. */
  readonly notes?: readonly string[];
  /** Why there are no records: the log is off, or a sink of the application takes them. */
  readonly unavailable?: string;
}

export interface ChainVerdict extends Pick<
  VerifyReport,
  'verdict' | 'records' | 'bytes' | 'problems' | 'notes' | 'writers'
> {
  /** The last links of each chain, the latest first. */
  readonly links: readonly ChainLink[];
  /** Milliseconds since the epoch. */
  readonly checkedAt: number;
}

export interface UsageQuery extends OnServer {
  readonly by: readonly UsageKey[];
  /** Only calls of the last days. Default: all. */
  readonly days?: number;
  /** Only calls of deprecated tools and of old versions. */
  readonly deprecated?: boolean;
}

export interface Usage {
  /** Those with most calls first. */
  readonly rows: readonly UsageRow[];
  /** How many more rows there are. */
  readonly more: number;
  /** What is to be known of the logs: one that is not there, what one lacks, clocks that differ. */
  readonly notes?: readonly string[];
  /** Why there are no rows: the log is off, or a sink of the application takes the records. */
  readonly unavailable?: string;
}

export interface CostsAnswer {
  readonly costs?: ServerCosts;
  /** What is to be known of the logs. */
  readonly notes?: readonly string[];
  /** Why there are no costs: the log is off, or a sink of the application takes the records. */
  readonly unavailable?: string;
}

export interface AuditApi {
  /** Adds up the calls of tools in the log. */
  usage(params: UsageQuery): Awaitable<Usage>;
  /** What the list of a caller with all scopes, and the results in the log, take of the context of models. */
  costs(params: Pick<UsageQuery, 'server' | 'days'>): Awaitable<CostsAnswer>;
  /** A page of the log, from its end. New records come as events of the type `audit` for half a minute after a question. */
  auditRecords(params: AuditQuery): Awaitable<AuditPage>;
  verifyAudit(params: OnServer): Awaitable<ChainVerdict>;
}
