import type { MaybePromise } from '../base/maybe-promise.js';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { MemoryEventStore } from '../ports/event-store.js';
import { MemoryTaskStore } from '../ports/memory-task-store.js';
import { ProcessTaskRunner } from '../ports/task-runner.js';
import { RefusalLog } from '../call/security/refusal-log.js';
import { Tasks } from './tasks/tasks.js';
import { Telemetry } from './requests/telemetry.js';
import { ANSWER_PAUSE_MS } from './sessions/answer-pause.js';
import type { Codec } from './codecs/codec.js';
import { createLegacyCodec } from './codecs/stateful.js';
import { createModernCodec } from './codecs/stateless.js';
import { publishClientSafe, publishNatural } from './codecs/published-schemas.js';
import type { Engine } from './engine.js';
import type { ModernRequest } from './requests/classify.js';
import type { Exchange } from './requests/exchange.js';
import { legacyRevisions } from './revisions/features.js';
import { ListPages } from './lists/list-pages.js';
import { Places } from './sessions/places.js';
import type { ProtocolHost } from './protocol.js';
import { resolveOptions, type ProtocolOptions } from './protocol-options.js';
import type { Reply } from './messages/reply.js';
import type { Revision } from '../base/request-context.js';
import { Rounds } from './rounds/rounds.js';
import { serveLegacy, type LegacyRequest } from './requests/serve-stateful.js';
import { serveModern } from './requests/serve-stateless.js';
import { SessionStore, type SessionEvents } from './sessions/session-store.js';
import { Subscriptions } from './sessions/subscriptions.js';
import { Traffic } from './requests/traffic.js';

const DRAIN_GRACE_MS = 30_000;
const SESSION_DEFAULTS = { max: 0, maxPerPrincipal: 0, maxAnonymous: 0, idleMs: 0, answerMs: 600_000 };

/** One server's protocol, whatever the transport. */
export class Protocol {
  constructor(readonly engine: Engine) {}

  /** Answers a 2026-07-28 request; undefined when it was given up. */
  serveModern(message: ModernRequest, exchange: Exchange): MaybePromise<Reply | undefined> {
    return serveModern(this.engine, message, exchange);
  }

  /** Answers a request of an older revision, in its session; undefined when it was cancelled. */
  serveLegacy(request: LegacyRequest, exchange: Exchange): MaybePromise<Reply | undefined> {
    return serveLegacy(this.engine, request, exchange);
  }

  get draining(): boolean {
    return this.engine.traffic.draining;
  }

  /** Calls that were answered, at their deadline or when they were cancelled, and whose work runs on. */
  get abandoned(): number {
    return this.engine.host.work.abandoned;
  }

  /**
   * Stops without losing anything: new requests are refused, listen streams get their completing result, calls in
   * flight and tasks finish, and what was recorded of them is stored. The process may exit then. Abandoned work has a
   * second to end: what hears its signal needs no more, and nobody can say whether the rest ever ends. What is still
   * running is logged, by operation.
   * @returns false when calls or tasks were still running after `graceMs`, or abandoned work is; tasks are stopped then
   * @throws what the audit log throws when it cannot store its records
   */
  async drain(graceMs = DRAIN_GRACE_MS): Promise<boolean> {
    const { traffic, subscriptions, sessions, tasks, refusals, telemetry, host } = this.engine;
    const { logger, work } = host;
    traffic.close();
    subscriptions.endAll();
    const [finished, tasksFinished] = await Promise.all([
      traffic.whenIdle(graceMs, host.clock),
      tasks.drain(graceMs),
    ]);
    // Answers that keep a distance from progress need their session's streams yet.
    await pause(ANSWER_PAUSE_MS * 2);
    sessions.closeAll();
    await answersWritten();
    if (work.abandoned > 0) {
      const enough = new AbortController();
      const { signal } = enough;
      const tooLong = pause(Math.min(graceMs, SETTLING_MS), undefined, { signal }).catch(() => undefined);
      await Promise.race([work.whenSettled(), tooLong]);
      enough.abort();
    }
    const running = work.report();
    if (running.length > 0) logger.warn({ running }, 'The server stops while work is still running');
    refusals.settle();
    await Promise.all([host.audit?.flush(), telemetry.flush(host.clock)]);
    return finished && tasksFinished && running.length === 0;
  }
}

/** Milliseconds. Work that was told to stop ends its commands and closes its connections in less. */
const SETTLING_MS = 1_000;

/** Transports are handed the last answers in this turn of the event loop and write them in the next, at the latest. */
async function answersWritten(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Puts together the protocol of one server. */
export function createProtocol(host: ProtocolHost, options: ProtocolOptions = {}): Protocol {
  const settings = resolveOptions(options);
  const { clock, logger } = host;
  const subscriptions = new Subscriptions(host.bus);
  const publish = settings.clientSafe ? publishClientSafe : publishNatural;
  const codecs = new Map<Revision, Codec>(
    legacyRevisions.map((revision) => [revision, createLegacyCodec(revision, publish)]),
  );
  codecs.set('2026-07-28', createModernCodec(host.info, publish));
  const { store = new MemoryTaskStore(clock), runner = new ProcessTaskRunner(clock) } = options.tasks ?? {};
  return new Protocol({
    host,
    settings,
    subscriptions,
    listeners: new Places({
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
    codec: (revision) => codecs.get(revision)!,
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
