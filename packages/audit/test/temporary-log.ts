import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { queryAudit } from '../src/read/query-audit.js';
import type { AuditRecord } from '../src/record.js';

/** The path of a log in its own directory, which is removed when the test ends. */
export function temporaryLog(): { readonly directory: string; readonly file: string } {
  const place = { directory: '', file: '' };
  beforeEach(async () => {
    place.directory = await mkdtemp(join(tmpdir(), 'toolwright-audit-'));
    place.file = join(place.directory, 'audit.jsonl');
  });
  afterEach(() => rm(place.directory, { recursive: true, force: true }));
  return place;
}

export async function readRecords(file: string): Promise<AuditRecord[]> {
  const records: AuditRecord[] = [];
  for await (const record of queryAudit({ file })) records.push(record);
  return records;
}

export async function readIds(file: string): Promise<string[]> {
  return (await readRecords(file)).map(({ id }) => id);
}
