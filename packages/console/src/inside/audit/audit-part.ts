import { systemClock } from '@toolwright/core/ports';
import {
  type ChainLink,
  costsOf,
  latestLinks,
  latestRecords,
  logFiles,
  tailAudit,
  usageOf,
  type VerifyReport,
  verifyLogs,
  type WriterReport,
} from '@toolwright/audit';
import { isToolwrightError, type McpServer } from '@toolwright/core';
import { getOrMake, present } from '@toolwright/json';
import type {
  AuditEntry,
  AuditPage,
  AuditQuery,
  ChainVerdict,
  CostsAnswer,
  Usage,
  UsageQuery,
} from '../../api/audit-api.js';
import { ConsoleRefusal } from '../../api/console-api.js';
import type { AuditLogs, Part, PartHost } from '../part.js';
import { scopesOf } from '../surface/surface-part.js';
import { askUnseen } from '../unseen-client.js';

/** More than anybody reads on one page. */
const MOST_RECORDS = 500;
/** What is said of the logs, at most. */
const MOST_NOTES = 20;
/** The links of the chain that are shown for each writer. */
const SHOWN_LINKS = 12;

/** Reads the audit logs of servers, and tells what comes anew. */
export function auditPart(host: PartHost): Part<'auditRecords' | 'verifyAudit' | 'usage' | 'costs'> {
  const tails = new Map<string, AuditTail>();
  host.onRest(() => tails.forEach((tail) => tail.stop()));
  const follow = async (id: string, logs: AuditLogs) => {
    const { files } = await logFiles([logs].flat().filter((each) => typeof each === 'string'));
    for (const file of files) followFile(id, file);
  };
  const followFile = (id: string, file: string) => {
    const show = (records: readonly AuditEntry[]) => host.tell({ type: 'audit', server: id, records });
    getOrMake(tails, file, () => new AuditTail(file, show)).follow();
  };
  return {
    auditRecords: async ({ server, ...query }) => {
      const place = placeOf(host, server);
      if ('unavailable' in place) return { records: [], unavailable: place.unavailable };
      const page = await readPage(place.logs, query);
      await follow(server, place.logs);
      return page;
    },
    verifyAudit: ({ server }) => {
      const place = placeOf(host, server);
      if ('unavailable' in place) throw new ConsoleRefusal(place.unavailable);
      return verify(place.logs);
    },
    usage: ({ server, ...query }) => {
      const place = placeOf(host, server);
      if ('unavailable' in place) return { rows: [], more: 0, unavailable: place.unavailable };
      return addUp(place.logs, query);
    },
    costs: ({ server, days }) => {
      const place = placeOf(host, server);
      if ('unavailable' in place) return { unavailable: place.unavailable };
      return priceOf(host.server(server), place.logs, days);
    },
  };
}

function placeOf(
  { server, auditLogs, by }: PartHost,
  id: string,
): { readonly logs: AuditLogs } | { readonly unavailable: string } {
  const { auditLog } = server(id).operate(by);
  if (auditLogs !== undefined) return { logs: auditLogs };
  if (!auditLog)
    return {
      unavailable: 'This server keeps no audit log. Set the option audit: { file } of createMcpServer.',
    };
  return auditLog.file === undefined
    ? { unavailable: 'A sink of the application takes the audit records, so there is no file to read.' }
    : { logs: auditLog.file };
}

async function readPage(file: AuditLogs, query: Omit<AuditQuery, 'server'>): Promise<AuditPage> {
  const { name, subject, outcome, text, limit, before } = query;
  const notes = new NoteList();
  const page = await orRefuse(() =>
    latestRecords({
      file,
      onBroken: notes.add,
      filter: present({ name, subject, outcome }),
      ...(text !== undefined && { text }),
      ...(before !== undefined && { before }),
      limit: Math.min(limit, MOST_RECORDS),
    }),
  );
  const records = page.records as readonly object[] as readonly AuditEntry[];
  return {
    file: namesOf(file).join(', '),
    records,
    ...(page.next !== undefined && { next: page.next }),
    ...notes.found(),
  };
}

const namesOf = (logs: AuditLogs) => [logs].flat().map((log) => (typeof log === 'string' ? log : log.name));

/** What is said of logs, each thing once. */
class NoteList {
  readonly #notes = new Set<string>();
  readonly add = (text: string): void => void (this.#notes.size < MOST_NOTES && this.#notes.add(text));

  /** Left out if there are none. */
  found(): { readonly notes?: readonly string[] } {
    return this.#notes.size > 0 ? { notes: [...this.#notes] } : {};
  }
}

const lastDays = (days: number | undefined) =>
  days === undefined ? undefined : { since: systemClock.now() - days * 86_400_000 };

/** The list of a caller with all scopes is the longest that a model reads. */
async function priceOf(server: McpServer, file: AuditLogs, days: number | undefined): Promise<CostsAnswer> {
  const tools = await askUnseen(server, { subject: 'console', scopes: scopesOf(server) }, (client) =>
    'tools' in client.server.capabilities ? client.tools() : Promise.resolve([]),
  );
  const notes = new NoteList();
  const asked = { file, tools, filter: lastDays(days), onBroken: notes.add, onNote: notes.add };
  const costs = await orRefuse(() => costsOf(present(asked)));
  return { costs, ...notes.found() };
}

async function addUp(file: AuditLogs, { by, days, deprecated }: Omit<UsageQuery, 'server'>): Promise<Usage> {
  const notes = new NoteList();
  const filter = lastDays(days);
  const rows = await orRefuse(() =>
    usageOf(present({ file, by, filter, deprecated, onBroken: notes.add, onNote: notes.add })),
  );
  return {
    rows: rows.slice(0, MOST_RECORDS),
    more: Math.max(0, rows.length - MOST_RECORDS),
    ...notes.found(),
  };
}

/** Verifies each log. A table has no hashes, so it is not among them. */
async function verify(logs: AuditLogs): Promise<ChainVerdict> {
  const given = [logs].flat().filter((each) => typeof each === 'string');
  if (given.length === 0) throw new ConsoleRefusal('A table has no hashes to verify.');
  const { verdict, reports, missing } = await orRefuse(() => verifyLogs({ files: given }));
  const writers: WriterReport[] = [];
  const links: ChainLink[] = [];
  for (const { file, writers: own } of reports) {
    const first = writers.length;
    const numbered = <T extends { slot: number }>(each: T) => ({ ...each, slot: first + each.slot });
    writers.push(...own.map(numbered));
    links.push(...(await latestLinks(file, SHOWN_LINKS)).map(numbered));
  }
  const sum = (read: (report: VerifyReport) => number) =>
    reports.reduce((total, report) => total + read(report), 0);
  return {
    verdict,
    records: sum(({ records }) => records),
    bytes: sum(({ bytes }) => bytes),
    problems: reports.flatMap(({ problems }) => problems),
    notes: [...missing, ...reports.flatMap(({ notes }) => notes)],
    writers,
    links,
    checkedAt: systemClock.now(),
  };
}

/** Says why a log cannot be read. */
async function orRefuse<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw isToolwrightError(error) || error instanceof Error ? new ConsoleRefusal(error.message) : error;
  }
}

/** How long a log is followed after the last question about it, in milliseconds. */
const FOLLOWED_MS = 30_000;

/**
 * It begins with as many records as the last page may have had, so that no record is lost between the page and the
 * first look.
 */
const OVERLAP = 20;

/** Follows one log as long as somebody asks about it. */
class AuditTail {
  #stop: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly tell: (records: readonly AuditEntry[]) => void,
  ) {}

  /** Begins to follow, or goes on for another while. */
  follow(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), FOLLOWED_MS).unref();
    if (this.#stop) return;
    this.#stop = new AbortController();
    void this.#run(this.#stop.signal);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stop?.abort();
    this.#stop = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for await (const record of tailAudit({ file: this.file, last: OVERLAP, signal }))
        if (!signal.aborted) this.tell([record as object as AuditEntry]);
    } catch {
      // The next question says what is wrong with the file.
      this.stop();
    }
  }
}
