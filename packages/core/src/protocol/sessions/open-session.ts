import type { MaybePromise } from '../../base/maybe-promise.js';
import type { Engine } from '../engine.js';
import { type RpcRequest, errorText, resultText } from '../messages/json-rpc.js';
import type { Reply } from '../messages/reply.js';
import { JsonRpcCode } from '../../base/errors/errors.js';
import { initializeResult, readHandshake } from '../methods/initialize.js';
import { errorReply, stoppingReply } from '../requests/answer.js';
import type { Peer } from '../requests/response-channel.js';
import type { Session } from './session.js';

/** The answer to `initialize`. */
export interface OpenedSession {
  readonly reply: Reply;
  /** `undefined` when sessions are turned off, and when the request was refused. */
  readonly session?: Session;
}

/** After how many milliseconds a session of another caller may have ended. */
const COME_BACK_MS = 10_000;

/** Opens a session for a client that starts with a handshake. Later requests find it by its id. */
export function openSession(engine: Engine, { id, params }: RpcRequest, peer: Peer): OpenedSession {
  const { host, sessions, settings, traffic } = engine;
  if (traffic.draining) return { reply: stoppingReply(id) };
  try {
    const { revision, client } = readHandshake(params, engine.revisions);
    const session = settings.sessions && sessions.open(revision, client, peer);
    if (settings.sessions && !session) return { reply: tooMany(id) };
    const text = resultText(id, initializeResult(engine, engine.codecs.get(revision)!, peer.principal));
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
  engine: Engine,
  id: string,
  peer: Peer,
): MaybePromise<Session | Reply | undefined> {
  if (!engine.settings.sessions?.secrets && !peer.principal) return undefined;
  if (engine.traffic.draining) return stoppingReply(undefined);
  return resumeSealed(engine, id, peer);
}

async function resumeSealed(
  { sessions }: Engine,
  id: string,
  peer: Peer,
): Promise<Session | Reply | undefined> {
  const resumed = await sessions.resume(id, peer);
  if (resumed === 'unknown') return undefined;
  if (resumed === 'stopped') return stoppingReply(undefined);
  if (resumed === 'full') return tooMany(undefined);
  return resumed === 'unverified' ? unverified() : resumed;
}

function unverified(): Reply {
  const error = {
    rpcCode: JsonRpcCode.internalError,
    message:
      'This server cannot check right now whether the session was ended, so nothing was done. Try again later.',
  };
  return { status: 503, text: errorText(undefined, error), retryAfterMs: COME_BACK_MS };
}

function tooMany(id: RpcRequest['id'] | undefined): Reply {
  const error = { rpcCode: JsonRpcCode.internalError, message: 'Too many sessions. Try again later.' };
  return { status: 503, text: errorText(id, error), retryAfterMs: COME_BACK_MS };
}
