import type { AuditEvent } from '@toolwright/core/ports';
import { openAuditSink, type RecordSink } from '@toolwright/audit';
import { sampleEvent } from '../../../audit/test/sample-event.js';

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
