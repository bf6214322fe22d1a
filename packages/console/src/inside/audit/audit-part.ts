import { present } from '@toolwright/core/extend';
import { systemClock } from '@toolwright/core/ports';
import { latestLinks, latestRecords, tailAudit, usageOf, verifyAudit } from '@toolwright/audit';
import { type McpServer, isToolwrightError } from '@toolwright/core';
import type {
  AuditEntry,
  AuditPage,
  AuditQuery,
  ChainVerdict,
  Usage,
  UsageQuery,
} from '../../api/audit-api.js';
import { ConsoleRefusal } from '../../api/console-api.js';
import type { Part, PartHost } from '../part.js';

/** More than anybody reads on one page. */
const MOST_RECORDS = 500;
/** The links of the chain that are shown for each writer. */
const SHOWN_LINKS = 12;

/** Reads the audit logs of servers, and tells what comes anew. */
export function auditPart(host: PartHost): Part<'auditRecords' | 'verifyAudit' | 'usage'> {
  const tails = new Map<string, AuditTail>();
  host.onRest(() => tails.forEach((tail) => tail.stop()));
  const follow = (id: string, file: string) => {
    const tail =
      tails.get(file) ?? new AuditTail(file, (records) => host.tell({ type: 'audit', server: id, records }));
    tails.set(file, tail);
    tail.follow();
  };
  return {
    auditRecords: async ({ server, ...query }) => {
      const place = placeOf(host.server(server), host.by);
      if ('unavailable' in place) return { records: [], unavailable: place.unavailable };
      const page = await readPage(place.file, query);
      follow(server, place.file);
      return page;
    },
    verifyAudit: ({ server }) => {
      const place = placeOf(host.server(server), host.by);
      if ('unavailable' in place) throw new ConsoleRefusal(place.unavailable);
      return verify(place.file);
    },
    usage: ({ server, ...query }) => {
      const place = placeOf(host.server(server), host.by);
      if ('unavailable' in place) return { rows: [], more: 0, unavailable: place.unavailable };
      return addUp(place.file, query);
    },
  };
}

function placeOf(
  server: McpServer,
  by: string,
): { readonly file: string } | { readonly unavailable: string } {
  const { auditLog } = server.operate(by);
  if (!auditLog)
    return {
      unavailable: 'This server keeps no audit log. Set the option audit: { file } of createMcpServer.',
    };
  return auditLog.file === undefined
    ? { unavailable: 'A sink of the application takes the audit records, so there is no file to read.' }
    : { file: auditLog.file };
}

async function readPage(file: string, query: Omit<AuditQuery, 'server'>): Promise<AuditPage> {
  const { name, subject, outcome, text, limit, before } = query;
  const page = await orRefuse(() =>
    latestRecords({
      file,
      filter: present({ name, subject, outcome }),
      ...(text !== undefined && { text }),
      ...(before !== undefined && { before }),
      limit: Math.min(limit, MOST_RECORDS),
    }),
  );
  const records = page.records as readonly object[] as readonly AuditEntry[];
  return { file, records, ...(page.next !== undefined && { next: page.next }) };
}

async function addUp(file: string, { by, days, deprecated }: Omit<UsageQuery, 'server'>): Promise<Usage> {
  const since = days === undefined ? undefined : systemClock.now() - days * 86_400_000;
  const rows = await orRefuse(() =>
    usageOf(present({ file, by, ...(since !== undefined && { filter: { since } }), deprecated })),
  );
  return { rows: rows.slice(0, MOST_RECORDS), more: Math.max(0, rows.length - MOST_RECORDS) };
}

async function verify(file: string): Promise<ChainVerdict> {
  const { verdict, records, bytes, problems, notes, writers } = await orRefuse(() => verifyAudit({ file }));
  const links = await latestLinks(file, SHOWN_LINKS);
  return { verdict, records, bytes, problems, notes, writers, links, checkedAt: systemClock.now() };
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
