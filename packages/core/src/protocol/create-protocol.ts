import { hasSensitiveParts } from '@toolwright/ground/call/hide-sensitive';
import { RefusalLog } from '@toolwright/ground/call/security/refusal-log';
import { MemoryEventStore } from '@toolwright/ground/ports/event-store';
import { MemoryTaskStore } from '@toolwright/ground/ports/memory-task-store';
import { lazily } from '@toolwright/json';
import { publishClientSafe, publishNatural, publishShort } from '@toolwright/wire/definitions';
import { methodRecord, mirroredParameter } from '@toolwright/wire/methods';
import type { Codec, PublishSchemas, RevisionRecord } from '@toolwright/wire/revision-record';
import { Revisions, servedRevisions } from '@toolwright/wire/revisions';
import { MessageWatch } from '../observe/message-watch.js';
import { OpenTelemetry } from '../observe/open-telemetry.js';
import { countRefusedCall, measuredPools } from '../observe/server-metrics.js';
import { serverDiscover } from '../requests/capabilities.js';
import type { Method, MethodHandlers, ServedRevision } from '../requests/active-request.js';
import { Traffic, storeHealth } from '../requests/engine.js';
import { findForwarded } from '../requests/forwarded-call.js';
import { findReadable } from '../requests/lists/find-resource.js';
import { ListPages } from '../requests/lists/list-pages.js';
import { completionComplete } from '../requests/methods/completion-complete.js';
import { promptsGet, promptsList } from '../requests/methods/prompts.js';
import { resourceTemplatesList, resourcesList, resourcesRead } from '../requests/methods/resources.js';
import { toolsCall, toolsList } from '../requests/methods/tools.js';
import { QuotaPool } from '../requests/quota-pool.js';
import { Rounds } from '../requests/rounds.js';
import { Audiences } from '../sessions/audiences.js';
import { type ListenStream, subscriptionsListen } from '../sessions/listen.js';
import { recordRise } from '../sessions/open-session.js';
import { SealedEventStore } from '../sessions/sealed-events.js';
import { SessionIds, type SessionEvents, type SessionLimits } from '../sessions/session-id.js';
import { sessionHandlers } from '../sessions/serve-stateful.js';
import { SessionPeers } from '../sessions/session-peers.js';
import { SessionStore } from '../sessions/session-store.js';
import { SharedSessions } from '../sessions/shared-sessions.js';
import { Subscriptions } from '../sessions/subscriptions.js';
import { ServedJobs } from '../tasks/served-jobs.js';
import { taskHandlers, taskToSend } from '../tasks/task-methods.js';
import { Tasks } from '../tasks/tasks.js';
import type { ProtocolSettings } from './protocol-options.js';
import { ServedProtocol, type ServerEngine, type ServerHost } from './served-protocol.js';

/** Where sessions are turned off, each request has its own. */
const NO_SESSIONS: SessionLimits = {
  max: 0,
  maxPerPrincipal: 0,
  maxAnonymous: 0,
  idle: 0,
  lifetime: 0,
  answerTimeout: 600_000,
  whenUnverified: 'refuse',
};

/**
 * Puts together the protocol of one server.
 *
 * @param records the revisions that it speaks; default: all
 */
export function createProtocol(
  host: ServerHost,
  records: readonly RevisionRecord[] = servedRevisions,
): ServedProtocol {
  const { logger, boot, settings } = host;
  const clock = boot.clock(host.clock);
  const audiences = new Audiences(host.secrets, host);
  const subscriptions = new Subscriptions({
    bus: host.bus,
    logger,
    audiences,
    sendsChanges: settings.sendsChanges,
  });
  host.additions.isWatched = (uri) => subscriptions.isWatched(uri);
  const publish = publisherOf(settings.lists);
  const revisions = new Revisions(records);
  const setup = { info: host.info, publish };
  const codecs = new Map<string, Codec>(
    records.map((record) => [record.version, record.createCodec(record, setup)]),
  );
  host.additions.codecs = codecs;
  const telemetry: OpenTelemetry = new OpenTelemetry({
    work: host.work,
    stores: () => storeHealth(host),
    tasks: () => tasks.load(),
    requests: () => protocol.load.requests,
    sessions: () => protocol.load.sessions,
    streams: () => openStreamCounts(protocol.engine),
    slots: () => measuredPools(host),
    audit: () => host.audit,
  });
  const tasks = createTasks(host, codecs, telemetry);
  const { pollInterval: pollIntervalMs } = settings.tasks;
  host.background.attach({ host, telemetry, ticks: tasks.queued?.ticks, pollIntervalMs });
  const watch = new MessageWatch(host.messageListeners);
  const listeners = new QuotaPool<ListenStream>(settings.subscriptions);
  const methods = methodsOf(tasks, { subscriptions, listeners });
  host.messageListeners.find = (method, params, principal) => {
    const operation = methods.get(method)?.find?.(host.registry, params, principal);
    const forwarded = findForwarded(host, { operation, params }, principal);
    return { operation: forwarded?.tool ?? operation, forwarded };
  };
  const protocol: ServedProtocol = new ServedProtocol({
    host,
    settings,
    subscriptions,
    audiences,
    listeners,
    pages: new ListPages(host.registry, host.additions, settings.lists),
    rounds: new Rounds(host),
    tasks,
    sessions: new SessionStore(settings.sessions ?? NO_SESSIONS, {
      boot,
      clock,
      logger,
      ids: new SessionIds(host.info.name, settings.sessions && host.secrets, logger),
      shared: settings.sessions && sharedSessions({ ...host, clock }),
      events: sessionEvents(host, settings),
      subscriptions,
      mayRead: (principal, uri) => findReadable(host.registry, uri, principal) !== undefined,
      watched: (uri) => host.additions.watched(uri),
      serves: (revision) => codecs.has(revision),
      ended: (sessionId) => host.sessionEnds.tell({ sessionId }),
      risen: (session, ip) => recordRise(session, ip, host),
      announced: (session, text) => watch.announced(session, text),
    }),
    refusals: new RefusalLog(
      {
        clock,
        logger,
        audit: host.audit,
        ids: host.ids,
        onSecurity: host.options.onSecurity,
        count: (refusal) => telemetry.metrics?.countRefused(refusal.reason, {}, refusal.status),
      },
      boot,
    ),
    traffic: new Traffic(),
    telemetry,
    watch,
    revisions,
    methods,
    served: new Map(
      records.map((record) => [record.version, servedRevision(record, codecs.get(record.version)!, methods)]),
    ),
  });
  host.refusedCalls.count = (call) => countRefusedCall(telemetry, call);
  host.callListeners.hidesUndeclared = () => hasSensitiveParts(host.registry);
  host.callListeners.foreignArgument = ({ kind, name }) => {
    const { forwards } = host.additions;
    return kind === 'tool' && forwards?.tool === name ? forwards.arguments : undefined;
  };
  telemetry.start();
  return protocol;
}

/** The form in which lists show the schemas of tools. */
function publisherOf({ clientSafe, patterns }: ProtocolSettings['lists']): PublishSchemas {
  if (!clientSafe) return publishNatural;
  return patterns === 'all' ? publishClientSafe : publishShort;
}

/** How many streams of each kind are open: those of `subscriptions/listen`, and those of sessions. */
function openStreamCounts({ sessions, listeners }: ServerEngine): ReadonlyMap<string, number> {
  const counts = new Map<string, number>([['listen', listeners.size]]);
  for (const { session } of sessions)
    for (const { kind } of session.openedStreams) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** What sessions with sealed ids share; `undefined` when ids are not sealed. */
function sharedSessions(host: ServerHost): SharedSessions | undefined {
  const { logger, bus, isBusShared, secrets } = host;
  if (!secrets) return undefined;
  const peers = isBusShared ? new SessionPeers(secrets, { bus, logger }) : undefined;
  return new SharedSessions(host, peers);
}

function sessionEvents(
  { stores: { events }, secrets, logger }: ServerHost,
  { sessions }: ProtocolSettings,
): SessionEvents | undefined {
  if (!sessions?.resumable) return undefined;
  if (!events)
    return { ofPrincipals: new MemoryEventStore(), ofAnonymous: new MemoryEventStore(), areShared: false };
  const store = secrets ? new SealedEventStore(events, secrets, logger) : events;
  return { ofPrincipals: store, ofAnonymous: store, areShared: true };
}

/** The tasks of a server: in this process, or on a queue. */
function createTasks(host: ServerHost, codecs: ReadonlyMap<string, Codec>, telemetry: OpenTelemetry): Tasks {
  const { clock, queue, stores, options } = host;
  const queued = queue?.carry(new ServedJobs(host, codecs, telemetry));
  if (options.tasks?.concurrency === undefined) queued?.warnIfIdle();
  const store = queued ? () => queued.store : lazily(() => stores.tasks ?? new MemoryTaskStore(clock));
  return new Tasks(host, store, queued);
}

/** What answers the methods that are the same in all servers. */
export const commonHandlers: MethodHandlers = {
  'tools/list': toolsList,
  'tools/call': toolsCall,
  'prompts/list': promptsList,
  'prompts/get': promptsGet,
  'resources/list': resourcesList,
  'resources/templates/list': resourceTemplatesList,
  'resources/read': resourcesRead,
  'completion/complete': completionComplete,
  'server/discover': serverDiscover,
  ...sessionHandlers,
};

/** Every method of any revision: its record, and what answers it. Each revision names the methods that it has. */
function methodsOf(
  tasks: Tasks,
  { subscriptions, listeners }: Pick<ServerEngine, 'subscriptions' | 'listeners'>,
): ReadonlyMap<string, Method> {
  const handlers: MethodHandlers = {
    ...commonHandlers,
    'subscriptions/listen': subscriptionsListen({ subscriptions, listeners, tasks, taskToSend }),
    ...taskHandlers(tasks),
  };
  return new Map(
    Object.entries(handlers).map(([name, handler]) => {
      const record = methodRecord(name)!;
      return [name, { mirrored: mirroredParameter(record), name, ...record, ...handler }] as const;
    }),
  );
}

/** What a revision has. A name that nothing answers is a mistake in its record. */
function servedRevision(
  { version, methods: names }: RevisionRecord,
  codec: Codec,
  methods: ReadonlyMap<string, Method>,
): ServedRevision {
  const own = names.map((name) => {
    const method = methods.get(name);
    if (!method) throw new TypeError(`The revision ${version} names "${name}", which is no method.`);
    return [name, method] as const;
  });
  return { codec, methods: new Map(own) };
}
