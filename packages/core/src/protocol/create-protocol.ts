import { RefusalLog } from '../call/security/refusal-log.js';
import { MemoryEventStore } from '../ports/event-store.js';
import { MemoryTaskStore } from '../ports/memory-task-store.js';
import { ProcessTaskRunner } from '../ports/task-runner.js';
import type { Codec } from './codecs/codec.js';
import { publishClientSafe, publishNatural } from './codecs/published-schemas.js';
import { ListPages } from './lists/list-pages.js';
import type { ProtocolHost } from './protocol-host.js';
import { resolveOptions, type ProtocolOptions } from './protocol-options.js';
import type { Protocol } from './protocol.js';
import { ServedProtocol } from './served-protocol.js';
import { Telemetry } from './requests/telemetry.js';
import { Traffic } from './requests/traffic.js';
import type { RevisionRecord } from './revisions/revision-record.js';
import { Revisions } from './revisions/revisions.js';
import { servedRevisions } from './revisions/served-revisions.js';
import { Rounds } from './rounds/rounds.js';
import { QuotaPool } from './sessions/quota-pool.js';
import { SessionStore, type SessionEvents } from './sessions/session-store.js';
import { Subscriptions } from './sessions/subscriptions.js';
import { Tasks } from './tasks/tasks.js';

const SESSION_DEFAULTS = { max: 0, maxPerPrincipal: 0, maxAnonymous: 0, idleMs: 0, answerMs: 600_000 };

/**
 * Puts together the protocol of one server.
 *
 * @param records the revisions that it speaks; default: all
 */
export function createProtocol(
  host: ProtocolHost,
  options: ProtocolOptions = {},
  records: readonly RevisionRecord[] = servedRevisions,
): Protocol {
  const settings = resolveOptions(options);
  const { clock, logger } = host;
  const subscriptions = new Subscriptions(host.bus);
  const publish = settings.clientSafe ? publishClientSafe : publishNatural;
  const revisions = new Revisions(records);
  const setup = { info: host.info, publish };
  const codecs = new Map<string, Codec>(
    records.map((record) => [record.version, record.createCodec(record, setup)]),
  );
  const { store = new MemoryTaskStore(clock), runner = new ProcessTaskRunner(clock) } = options.tasks ?? {};
  return new ServedProtocol({
    host,
    settings,
    subscriptions,
    listeners: new QuotaPool({
      max: settings.maxSubscriptions,
      maxPerPrincipal: settings.maxSubscriptionsPerPrincipal,
      maxAnonymous: settings.maxAnonymousSubscriptions,
    }),
    pages: new ListPages(host.registry, settings.pageSize, settings.listTtlMs),
    rounds: new Rounds(host, settings),
    tasks: new Tasks(host, settings.tasks, { store, runner }),
    sessions: new SessionStore(settings.sessions ?? SESSION_DEFAULTS, {
      clock,
      logger,
      events: sessionEvents(options),
      subscriptions,
      ended: (sessionId) => host.sessionEnded?.(sessionId),
    }),
    refusals: new RefusalLog(host),
    traffic: new Traffic(),
    telemetry: new Telemetry(host.work),
    revisions,
    codecs,
  });
}

function sessionEvents({ sessions = {} }: ProtocolOptions): SessionEvents | undefined {
  if (sessions === false || sessions.events === false) return undefined;
  const { events } = sessions;
  return {
    ofPrincipals: events ?? new MemoryEventStore(),
    ofAnonymous: events ?? new MemoryEventStore(),
  };
}
