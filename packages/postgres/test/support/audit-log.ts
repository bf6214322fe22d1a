import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEvent } from '@toolwright/core/ports';
import { openAuditSink, type RecordSink } from '@toolwright/audit';

/** The path of a log in a directory of its own, which goes when the test ends. */
export function temporaryLog(): { readonly file: string } {
  const place = { directory: '', file: '' };
  beforeEach(async () => {
    place.directory = await mkdtemp(join(tmpdir(), 'toolwright-postgres-'));
    place.file = join(place.directory, 'audit.jsonl');
  });
  afterEach(() => rm(place.directory, { recursive: true, force: true }));
  return place;
}

/** Writes so many records to the log and ships them. */
export async function writeLog(
  file: string,
  sink: RecordSink | undefined,
  events: AuditEvent[],
): Promise<void> {
  const audit = await openAuditSink({ file, sinks: sink ? [sink] : [] });
  for (const event of events) await audit.write(event, 'strict');
  await audit.close();
}

export const sampleEvents = (count: number): AuditEvent[] =>
  Array.from({ length: count }, (_, number) => sampleEvent({ callId: `call-${number}` }));

/** An event as the pipeline sends it, with what a test wants different. */
export function sampleEvent(changes: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: randomUUID(),
    callId: 'call-1',
    time: 1_785_225_600_123,
    event: 'outcome',
    operation: 'tool',
    name: 'delete_page',
    contract: 'c0'.repeat(32),
    annotations: { destructiveHint: true },
    principal: { issuer: 'https://issuer.example', subject: 'user-1' },
    client: { name: 'client', version: '1.0.0' },
    revision: '2026-07-28',
    arguments: { pageId: 'p-1' },
    outcome: 'ok',
    ...changes,
  };
}
