import { JsonRpcCode, RETRY_AFTER_MS } from '@toolwright/ground/base/errors/errors';
import type {
  ClientDescription,
  Principal,
  Revision,
  RequestId,
} from '@toolwright/ground/base/request-context';
import type { BoundOperation } from '@toolwright/ground/call/operation/operation';
import {
  auditClient,
  auditPrincipal,
  eventRecord,
  writeUnawaited,
} from '@toolwright/ground/call/security/watched-audit-sink';
import type { MaybePromise } from '@toolwright/json';
import { readClientInfo } from '@toolwright/wire/classify';
import {
  type JsonObject,
  MAX_DESCRIPTION,
  type RpcRequest,
  errorText,
  isJsonObject,
  resultText,
} from '@toolwright/wire/json-rpc';
import { invalidParams } from '@toolwright/wire/protocol-errors';
import { type Reply, errorReply, stoppingReply } from '@toolwright/wire/reply';
import type { Peer } from '@toolwright/wire/response-channel';
import type { Codec } from '@toolwright/wire/revision-record';
import type { Revisions } from '@toolwright/wire/revisions';
import type { Engine } from '../requests/active-request.js';
import { capabilitiesOf, extensionsOf, requestedTasksOf } from '../requests/capabilities.js';
import type { ProtocolHost, RequestSettings } from '../requests/engine.js';
import type { QuotaPool } from '../requests/quota-pool.js';
import type { Audiences } from './audiences.js';
import type { ListenStream } from './listen.js';
import type { SessionSettings } from './session-options.js';
import type { SessionStore } from './session-store.js';
import type { Session } from './session.js';
import type { Subscriptions } from './subscriptions.js';

/** The answer to `initialize`. */
export interface OpenedSession {
  readonly reply: Reply;
  /** `undefined` when sessions are turned off, and when the request was refused. */
  readonly session?: Session;
}

/** Opens a session for a client that starts with a handshake. Later requests find it by its id. */
export function openSession(engine: SessionEngine, { id, params }: RpcRequest, peer: Peer): OpenedSession {
  const { host, sessions, settings, traffic } = engine;
  if (traffic.draining) return { reply: stoppingReply(id) };
  try {
    const { revision, client } = readHandshake(params, engine.revisions);
    const session = settings.sessions && sessions.open(revision, client, peer);
    if (settings.sessions && !session) return { reply: notNow(id, TOO_MANY) };
    const { codec } = engine.served.get(revision)!;
    const { principal } = peer;
    const text = resultText(id, initializeResult(engine, codec, { principal, lasts: session !== undefined }));
    return { reply: { status: 200, text }, ...(session && { session }) };
  } catch (error) {
    return { reply: errorReply(id, error, { era: 'stateful', logger: host.logger }) };
  }
}

/**
 * Resumes a session with a sealed id that another process has opened, or this one before it forgot it. A client that has
 * signed in continues its anonymous session, whatever the id is.
 */
export function resumeSession(
  engine: SessionEngine,
  id: string,
  peer: Peer,
): MaybePromise<Session | Reply | undefined> {
  if (!engine.sessions.areSealed && !peer.principal) return undefined;
  if (engine.traffic.draining) return stoppingReply(undefined);
  return resumeSealed(engine, id, peer);
}

async function resumeSealed(
  { sessions }: SessionEngine,
  id: string,
  peer: Peer,
): Promise<Session | Reply | undefined> {
  const resumed = await sessions.resume(id, peer);
  if (resumed === 'unknown') return undefined;
  if (resumed === 'stopped') return stoppingReply(undefined);
  if (resumed === 'full') return notNow(undefined, TOO_MANY);
  return resumed === 'unverified' ? notNow(undefined, UNVERIFIED) : resumed;
}

const TOO_MANY = 'Too many sessions.';
const UNVERIFIED = 'This server cannot check right now whether the session was ended, so nothing was done.';

function notNow(id: RpcRequest['id'] | undefined, why: string): Reply {
  const error = { rpcCode: JsonRpcCode.internalError, message: `${why} Try again later.` };
  return { status: 503, text: errorText(id, error), retryAfterMs: RETRY_AFTER_MS.full };
}

/**
 * Reads the handshake of a stateful revision. If the client asks for an unknown or a stateless revision, the
 * newest stateful one is offered (lifecycle: version negotiation).
 *
 * @throws {ProtocolError} -32602 when a required parameter is missing
 */
export function readHandshake(
  params: JsonObject,
  { stateful }: Revisions,
): { revision: Revision; client: ClientDescription } {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') throw invalidParams('"protocolVersion" must be a string.');
  if (!isJsonObject(capabilities)) throw invalidParams('"capabilities" must be an object.');
  const described = readClientInfo(clientInfo);
  if (!described.info) throw invalidParams('"clientInfo" must have a "name" and a "version".');
  // This is kept as long as the session, and it costs a caller only one request.
  if (JSON.stringify([capabilities, described]).length > MAX_DESCRIPTION)
    throw invalidParams(`"capabilities" and "clientInfo" are larger than ${MAX_DESCRIPTION} characters.`);
  const revision = stateful.find((known) => known === protocolVersion) ?? stateful[0]!;
  return { revision, client: { capabilities, ...described } };
}

/** @param lasts false when the server forgets the client at once, so that no stream can tell it of changes */
export function initializeResult(
  { host, tasks, settings }: Pick<Engine, 'host' | 'tasks' | 'settings'>,
  codec: Codec,
  { principal, lasts }: { principal: Principal | undefined; lasts: boolean },
): string {
  const { info, instructions } = host;
  const { features } = codec;
  return codec.result({
    protocolVersion: codec.revision,
    capabilities: {
      ...capabilitiesOf(host, { features, sendsChanges: lasts && settings.sendsChanges }),
      ...requestedTasksOf(tasks, features, principal),
      ...extensionsOf(host, { features, hasTasks: false }),
    },
    serverInfo: codec.serverInfo(info),
    instructions,
  });
}

/** Records who continues a session that was anonymous. */
export function recordRise(
  { client, principal, revision, key }: Session,
  ip: string | undefined,
  host: ProtocolHost,
): void {
  const { audit, logger } = host;
  const event = eventRecord(host, {
    event: 'outcome',
    operation: 'session',
    name: 'sign in',
    principal: auditPrincipal(principal, audit),
    client: auditClient(client.info),
    revision,
    // Not the id, which is like a password.
    arguments: { session: key },
    outcome: 'ok',
    ...(ip !== undefined && { ip }),
  });
  logger.info(
    { subject: principal?.subject, session: key },
    'A client has signed in and continues its session',
  );
  // The client has its session already.
  writeUnawaited(audit, event);
}

/** The parts of one server's protocol that sessions and connections use besides those of requests. */
export interface SessionEngine extends Engine {
  readonly settings: RequestSettings & { readonly sessions: SessionSettings | undefined };
  readonly sessions: SessionStore;
  readonly subscriptions: Subscriptions;
  /** Knows who may hear of updates that are not for everybody. */
  readonly audiences: Audiences;
  /** The open `subscriptions/listen` streams. */
  readonly listeners: QuotaPool<ListenStream>;
  /** Shows messages to those who listen to them. */
  readonly watch: ChannelWatch;
}

/** Shows the messages of channels to those who listen to them. */
export interface ChannelWatch {
  /** False while nobody listens. */
  readonly isOn: boolean;
  open(peer: Pick<Peer, 'principal'>): WatchedMessages;
}

/** The messages of one channel. */
export interface WatchedMessages {
  /** A message of the client, parsed, and who has sent it. */
  received(body: unknown, peer: Pick<Peer, 'principal'>): void;
  /** A message to the client, as text. `about`: the request for which it is sent before its answer. */
  sent(text: string, about?: RequestId): void;
  /** What an open request is about, where only its method could find out. */
  isAbout(id: RequestId, operation: BoundOperation | undefined): void;
}
