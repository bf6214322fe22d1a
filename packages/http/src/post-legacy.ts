import {
  errorReply,
  errorText,
  featuresOf,
  hearNotification,
  initializeResult,
  isLegacyRevision,
  noteRefusedRequest,
  readHandshake,
  resultText,
  stoppingReply,
  wantsAnswer,
  type MaybePromise,
  type Reply,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  type Session,
} from '@toolwright/core';
import { readHeader, type HttpCall } from './endpoint.js';
import { HttpFault, INTERNAL_ERROR, INVALID_REQUEST } from './http-fault.js';
import { LegacyExchange } from './legacy-exchange.js';
import { sendAccepted, sendFault, sendJson, sendReply } from './respond.js';

/** What a client may omit before 2025-06-18. */
const ASSUMED = '2025-03-26';

/** Opens a session and tells its id in a header, or answers once where sessions are switched off. */
export function postInitialize(
  { endpoint: { protocol }, headers, res, peer }: HttpCall,
  { id, params }: RpcRequest,
): void {
  const { engine } = protocol;
  const { host, sessions, settings } = engine;
  const known = readHeader(headers, 'mcp-session-id');
  if (known !== undefined && sessions.find(known, peer.principal)) {
    return sendJson(res, 400, errorText(id, { rpcCode: INVALID_REQUEST, message: 'Already initialized.' }));
  }
  if (protocol.draining) return sendReply(res, stoppingReply(id));
  try {
    const { revision, client } = readHandshake(params);
    if (settings.sessions) {
      const session = sessions.open(revision, client, peer);
      if (!session)
        throw new HttpFault(503, INTERNAL_ERROR, 'Too many sessions. Try again later.', {
          'Retry-After': '10',
        });
      res.setHeader('Mcp-Session-Id', session.id);
    }
    sendJson(res, 200, resultText(id, initializeResult(host, engine.codec(revision))));
  } catch (error) {
    if (error instanceof HttpFault) sendFault(res, error);
    else sendReply(res, errorReply(id, error, { era: 'legacy', logger: host.logger }));
  }
}

/** Answers a message of the older era. */
export function postLegacy(call: HttpCall, message: RpcRequest | RpcNotification | RpcResponse): void {
  const session = findSession(call);
  if (session instanceof HttpFault) return sendFault(call.res, session);
  if (message.kind === 'request') return answer(call, session, [message]);
  take(session, message);
  sendAccepted(call.res);
}

/** Answers a batch, on the one revision that has them. */
export function postBatch(call: HttpCall, messages: readonly RpcMessage[]): void {
  const session = findSession(call);
  if (session instanceof HttpFault) return sendFault(call.res, session);
  if (!featuresOf(session.revision).batches) {
    return sendFault(call.res, new HttpFault(400, INVALID_REQUEST, 'Send one message at a time.'));
  }
  for (const message of messages) {
    if (message.kind === 'notification' || message.kind === 'response') take(session, message);
  }
  const asked = messages.filter(wantsAnswer);
  if (asked.length === 0) return sendAccepted(call.res);
  answer(call, session, asked, true);
}

function answer(call: HttpCall, session: Session, messages: readonly RpcMessage[], batch = false): void {
  const { endpoint, res, peer } = call;
  const { protocol, sse } = endpoint;
  const primingEvent = featuresOf(session.revision).primingEvent;
  const exchange = new LegacyExchange(peer, res, session, { primingEvent, ...sse });
  if (prefersStream(readHeader(call.headers, 'accept'))) exchange.stream();
  const canAsk = protocol.engine.settings.sessions !== undefined;
  const replies = messages.map((message): MaybePromise<Reply | undefined> => {
    if (message.kind === 'malformed') {
      return { status: 400, text: errorText(message.id, { rpcCode: message.code, message: message.reason }) };
    }
    const request = message as RpcRequest;
    if (protocol.draining) return stoppingReply(request.id);
    return protocol.serveLegacy({ message: request, route: { session, canAsk } }, exchange);
  });
  const finish = (settled: readonly (Reply | undefined)[]) => {
    const sent = settled.filter((reply) => reply !== undefined);
    const [only] = sent;
    if (!batch && only && only.status !== 200 && !res.headersSent)
      sendReply(res, only, { peer, resourceMetadata: endpoint.settings.resourceMetadata });
    else
      exchange.finish(
        sent.map(({ text }) => text),
        batch,
      );
  };
  if (replies.some((reply) => reply instanceof Promise)) {
    const pollAfterMs = protocol.engine.settings.sessions?.pollAfterMs;
    if (primingEvent && pollAfterMs !== undefined) exchange.pollAfter(pollAfterMs);
    void Promise.all(replies.map((reply) => Promise.resolve(reply))).then(finish);
  } else finish(replies as (Reply | undefined)[]);
}

/** Either form would do; of equals, the client's first choice. */
function prefersStream(accept = ''): boolean {
  const stream = accept.indexOf('text/event-stream');
  const json = accept.indexOf('application/json');
  return stream >= 0 && json > stream;
}

function take(session: Session, message: RpcNotification | RpcResponse): void {
  if (message.kind === 'response') session.answer(message);
  else hearNotification(session, message);
}

/** The session that the request names, or one of its own where sessions are switched off. */
function findSession(call: HttpCall): Session | HttpFault {
  const { endpoint, headers, peer } = call;
  const { protocol } = endpoint;
  const { sessions, settings } = protocol.engine;
  const version = readHeader(headers, 'mcp-protocol-version');
  if (version !== undefined && !isLegacyRevision(version)) {
    return new HttpFault(400, INVALID_REQUEST, 'Unsupported MCP-Protocol-Version.');
  }
  if (!settings.sessions) {
    const session = sessions.detached(version ?? ASSUMED, { capabilities: {} }, peer.principal);
    session.initialized = true;
    return session;
  }
  const id = readHeader(headers, 'mcp-session-id');
  if (id === undefined) {
    return new HttpFault(
      400,
      INVALID_REQUEST,
      'Mcp-Session-Id is missing. Send "initialize" to open a session.',
    );
  }
  return sessions.find(id, peer.principal) ?? sessionGone(call);
}

/** 404 tells clients of the older era to open another session; nothing else may. */
export function sessionGone({ endpoint, peer }: HttpCall): HttpFault {
  const { principal, ip } = peer;
  noteRefusedRequest(endpoint.protocol.engine, { reason: 'TW_SESSION_UNKNOWN', principal, ip });
  return new HttpFault(404, INVALID_REQUEST, 'No such session. Send "initialize" to open one.');
}
