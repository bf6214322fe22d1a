import { auditPrincipal } from '../../call/watched-audit-sink.js';
import { foreignText } from '../../base/foreign-text.js';
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
    client: info ? { name: foreignText(info.name), version: foreignText(info.version) } : null,
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
  // `WatchedAuditSink` logs it when the log fails. The client has its session already.
  void (async () => audit?.write(event, 'buffered'))().catch(() => undefined);
}
