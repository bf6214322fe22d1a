import { latestLinks, latestRecords, verifyAudit } from '@toolwright/audit';
import { isToolwrightError, type McpServer } from '@toolwright/core';
import type { AuditEntry, AuditPage, AuditQuery, AuditVerdict } from '../../api/audit-api.js';
import { ConsoleFault } from '../../api/console-api.js';
import type { Part, PartHost } from '../part.js';
import { AuditTail } from './audit-tail.js';

/** More than anybody reads on one page. */
const MOST_RECORDS = 500;
/** The links of the chain that are shown for each writer. */
const SHOWN_LINKS = 12;

/** Reads the audit logs of servers, and tells what comes anew. */
export function auditPart(host: PartHost): Part<'auditRecords' | 'verifyAudit'> {
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
      if ('unavailable' in place) throw new ConsoleFault(place.unavailable);
      return verify(place.file);
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
  const page = await told(() =>
    latestRecords({
      file,
      filter: {
        ...(name !== undefined && { name }),
        ...(subject !== undefined && { subject }),
        ...(outcome !== undefined && { outcome }),
      },
      ...(text !== undefined && { text }),
      ...(before !== undefined && { before }),
      limit: Math.min(limit, MOST_RECORDS),
    }),
  );
  const records = page.records as readonly object[] as readonly AuditEntry[];
  return { file, records, ...(page.next !== undefined && { next: page.next }) };
}

async function verify(file: string): Promise<AuditVerdict> {
  const { verdict, records, bytes, problems, notes, writers } = await told(() => verifyAudit({ file }));
  const links = await latestLinks(file, SHOWN_LINKS);
  return { verdict, records, bytes, problems, notes, writers, links, checkedAt: Date.now() };
}

/** Says why a log cannot be read. */
async function told<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw isToolwrightError(error) || error instanceof Error ? new ConsoleFault(error.message) : error;
  }
}
