import { randomUUID } from 'node:crypto';
import type { AuditEvent } from '@toolwright/core/ports';

/** An event as core sends it, with the changes that a test needs. */
export function sampleEvent(changes: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: randomUUID(),
    callId: 'call-1',
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
    outcome: 'ok',
    ...changes,
  };
}
