import { auditClient, auditPrincipal, writeUnawaited } from '../../call/security/watched-audit-sink.js';
import type { AuditEvent } from '../../ports/audit-sink.js';
import { randomIds } from '../../ports/id-source.js';
import type { ProtocolHost } from '../protocol-host.js';
import type { Session } from './session.js';

/** Records who continues a session that was anonymous. */
export function recordRise(
  { client, principal, revision, key }: Session,
  ip: string | undefined,
  { audit, ids = randomIds, clock, logger }: ProtocolHost,
): void {
  const time = clock.now();
  const id = ids.uuid(time);
  const { info } = client;
  const event: AuditEvent = {
    id,
    callId: id,
    time,
    event: 'outcome',
    operation: 'session',
    name: 'sign in',
    contract: '',
    annotations: {},
    principal: auditPrincipal(principal, audit),
    client: auditClient(info),
    revision,
    // Not the id, which is like a password.
    arguments: { session: key },
    outcome: 'ok',
    ...(ip !== undefined && { ip }),
  };
  logger.info(
    { subject: principal?.subject, session: key },
    'A client has signed in and continues its session',
  );
  // The client has its session already.
  writeUnawaited(audit, event);
}
