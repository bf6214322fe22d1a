import type { Engine } from '../engine.js';
import { type RpcRequest, errorText, resultText } from '../messages/json-rpc.js';
import type { Reply } from '../messages/reply.js';
import { JsonRpcCode } from '../../base/errors/protocol-error.js';
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
    const text = resultText(id, initializeResult(host, engine.codecs.get(revision)!));
    return { reply: { status: 200, text }, ...(session && { session }) };
  } catch (error) {
    return { reply: errorReply(id, error, { era: 'stateful', logger: host.logger }) };
  }
}

function tooMany(id: RpcRequest['id']): Reply {
  const error = { rpcCode: JsonRpcCode.internalError, message: 'Too many sessions. Try again later.' };
  return { status: 503, text: errorText(id, error), retryAfterMs: COME_BACK_MS };
}
