import { RefusalLog } from '../call/security/refusal-log.js';
import { BootContext } from '../ports/boot-context.js';
import { MemoryEventStore } from '../ports/event-store.js';
import type { Logger } from '../ports/logger.js';
import type { Codec } from './codecs/codec.js';
import { publishClientSafe, publishNatural } from './codecs/published-schemas.js';
import { findReadable } from './lists/find-resource.js';
import { ListPages } from './lists/list-pages.js';
import { MessageWatch } from './observation/message-watch.js';
import type { ProtocolHost } from './protocol-host.js';
import { resolveOptions, type ProtocolOptions } from './protocol-options.js';
import { ServedProtocol } from './served-protocol.js';
import type { Engine } from './engine.js';
import { Telemetry } from './requests/telemetry.js';
import { Traffic } from './requests/traffic.js';
import type { RevisionRecord } from './revisions/revision-record.js';
import { Revisions } from './revisions/revisions.js';
import { servedRevisions } from './revisions/served-revisions.js';
import { Rounds } from './rounds/rounds.js';
import { Audiences } from './sessions/audiences.js';
import { QuotaPool } from './sessions/quota-pool.js';
import { recordRise } from './sessions/record-rise.js';
import { SealedEventStore } from './sessions/sealed-events.js';
import { SessionIds } from './sessions/session-id.js';
import { SessionPeers } from './sessions/session-peers.js';
import type { SessionEvents, SessionLimits } from './sessions/session-limits.js';
import { SessionStore } from './sessions/session-store.js';
import { SharedSessions } from './sessions/shared-sessions.js';
import { Subscriptions } from './sessions/subscriptions.js';
import { ProcessSchedules } from './schedules/process-schedules.js';
import { Scheduler } from './schedules/scheduler.js';
import { createTasks } from './tasks/create-tasks.js';

/** Where sessions are turned off, each request has its own. */
const NO_SESSIONS: SessionLimits = {
  ...{ max: 0, maxPerPrincipal: 0, maxAnonymous: 0, idleMs: 0, lifetimeMs: 0, answerMs: 600_000 },
  whenUnverified: 'refuse',
};

/**
 * Puts together the protocol of one server.
 *
 * @param records the revisions that it speaks; default: all
 */
export function createProtocol(
  host: ProtocolHost,
  options: ProtocolOptions = {},
  records: readonly RevisionRecord[] = servedRevisions,
): ServedProtocol {
  const settings = resolveOptions(options);
  const boot = new BootContext();
  const { logger } = host;
  const clock = boot.clock(host.clock);
  const audiences = new Audiences(options.requestState?.secrets, host);
  const subscriptions = new Subscriptions({ bus: host.bus, logger, audiences });
  const publish = settings.clientSafe ? publishClientSafe : publishNatural;
  const revisions = new Revisions(records);
  const setup = { info: host.info, publish };
  const codecs = new Map<string, Codec>(
    records.map((record) => [record.version, record.createCodec(record, setup)]),
  );
  const telemetry: Telemetry = new Telemetry({
    work: host.work,
    stores: () => host.storeHealth?.() ?? [],
    tasks: () => tasks.queued?.load(),
    requests: () => protocol.load.requests,
    sessions: () => protocol.load.sessions,
    streams: () => openStreamCounts(protocol.engine),
    slots: () => host.slots?.() ?? [],
    audit: () => host.auditMeter,
  });
  const tasks = createTasks(host, options, { settings: settings.tasks, codecs, telemetry, boot });
  const keeper = tasks.queued?.schedules ?? new ProcessSchedules(host, telemetry);
  const watch = new MessageWatch(host.messageListeners);
  const protocol: ServedProtocol = new ServedProtocol({
    host,
    settings,
    subscriptions,
    audiences,
    listeners: new QuotaPool({
      max: settings.maxSubscriptions,
      maxPerPrincipal: settings.maxSubscriptionsPerPrincipal,
      maxAnonymous: settings.maxAnonymousSubscriptions,
    }),
    pages: new ListPages(host.registry, settings.pageSize, settings.listTtlMs),
    rounds: new Rounds(host, settings),
    tasks,
    sessions: new SessionStore(settings.sessions ?? NO_SESSIONS, {
      boot,
      clock,
      logger,
      ids: new SessionIds(host.info.name, settings.sessions?.secrets, logger),
      shared: sharedSessions({ ...host, clock }, options),
      events: sessionEvents(options, logger),
      subscriptions,
      mayRead: (principal, uri) => findReadable(host.registry, uri, principal) !== undefined,
      serves: (revision) => codecs.has(revision),
      ended: (sessionId) => host.sessionEnded?.(sessionId),
      risen: (session, ip) => recordRise(session, ip, host),
      announced: (session, text) => watch.announced(session, text),
    }),
    refusals: new RefusalLog(
      {
        ...host,
        clock,
        count: (refusal) => telemetry.metrics?.countRefused(refusal.reason, {}, refusal.status),
      },
      boot,
    ),
    traffic: new Traffic(),
    scheduler: new Scheduler({ host, telemetry, keeper, boot }),
    telemetry,
    watch,
    revisions,
    codecs,
  });
  telemetry.start();
  return protocol;
}

/** How many streams of each kind are open: those of `subscriptions/listen`, and those of sessions. */
function openStreamCounts({ sessions, listeners }: Engine): ReadonlyMap<string, number> {
  const counts = new Map<string, number>([['listen', listeners.size]]);
  for (const { session } of sessions)
    for (const { kind } of session.openedStreams) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** What sessions with sealed ids share; `undefined` when ids are not sealed. */
function sharedSessions(
  { claims, endedSessions = claims, clock, logger, bus, isBusShared }: ProtocolHost,
  { sessions }: ProtocolOptions,
): SharedSessions | undefined {
  const { secrets, records } = sessions || {};
  if (!secrets) return undefined;
  const peers = isBusShared ? new SessionPeers(secrets, { bus, logger }) : undefined;
  return new SharedSessions({ claims: endedSessions, records, peers, clock, logger });
}

function sessionEvents({ sessions = {} }: ProtocolOptions, logger: Logger): SessionEvents | undefined {
  if (sessions === false || sessions.events === false) return undefined;
  const { events, secrets } = sessions;
  if (!events)
    return { ofPrincipals: new MemoryEventStore(), ofAnonymous: new MemoryEventStore(), areShared: false };
  const store = secrets ? new SealedEventStore(events, secrets, logger) : events;
  return { ofPrincipals: store, ofAnonymous: store, areShared: true };
}
