import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@toolwright/core/ports';

/** The end of a call as the pipeline reports it, of usual size. */
export function sampleEvent(): AuditEvent {
  return {
    id: randomUUID(),
    callId: randomUUID(),
    time: 1_785_225_600_000,
    event: 'outcome',
    operation: 'tool',
    name: 'delete_page',
    contract: 'c0'.repeat(32),
    annotations: { destructiveHint: true },
    principal: { issuer: 'https://issuer.example', subject: 'user-1' },
    client: { name: 'client', version: '1.0.0' },
    revision: '2026-07-28',
    arguments: { pageId: 'p-1' },
    loggable: { pageId: 'p-1' },
    outcome: 'ok',
    result: '{"content":[{"type":"text","text":"Deleted p-1."}]}',
    durationMs: 3.2,
    ip: '192.0.2.1',
  };
}
