import {
  type MaybePromise,
  type Revision,
  errorText,
  wantsAnswer,
  type Reply,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
  type Session,
} from '@toolwright/core/transport';
import type { HttpCall } from './http-call.js';
import { HttpFailure, INVALID_REQUEST } from './http-failure.js';
import { inSession } from './in-session.js';
import { refuse } from './refuse.js';
import { StatefulResponse } from './stateful-response.js';
import { answerForm, lockedText, sendAccepted, sendReply } from './respond.js';
import { SseStream } from './sse-stream.js';

/** What a client may leave out before 2025-06-18. */
const ASSUMED = '2025-03-26';

/**
 * Opens a session and sends its id in a header. Where sessions are turned off, it only answers. A client that still names
 * another session begins anew, for example because its connection broke, and would be stuck with a refusal. It may name
 * a session that is live here, at another process, or nowhere: the answer is the same.
 */
export function postInitialize(
  { endpoint: { protocol, sse }, exchange, peer }: HttpCall,
  request: RpcRequest,
): void {
  const { reply, session } = protocol.openSession(request, peer);
  if (session) exchange.setHeader('Mcp-Session-Id', session.id);
  if (reply.status !== 200 || answerForm(exchange.header('accept') ?? '') !== 'only stream')
    return sendReply(exchange, reply);
  const stream = new SseStream(exchange, sse, peer);
  stream.write(reply.text);
  stream.close();
}

/** Answers a message of the older era. */
export function postStateful(call: HttpCall, message: RpcRequest | RpcNotification | RpcResponse): void {
  withSession(call, (session) => {
    if (message.kind === 'request') return answer(call, session, [message]);
    call.endpoint.protocol.hear(session, message);
    sendAccepted(call.exchange);
  });
}

/** Answers a batch, on the one revision that has them. */
export function postBatch(call: HttpCall, messages: readonly RpcMessage[]): void {
  withSession(call, (session) => {
    if (!call.endpoint.protocol.featuresOf(session.revision).batches) {
      return refuse(call, new HttpFailure(400, INVALID_REQUEST, 'Send one message at a time.'));
    }
    for (const message of messages) {
      if (message.kind === 'notification' || message.kind === 'response')
        call.endpoint.protocol.hear(session, message);
    }
    const asked = messages.filter(wantsAnswer);
    if (asked.length === 0) return sendAccepted(call.exchange);
    answer(call, session, asked, true);
  });
}

function answer(call: HttpCall, session: Session, messages: readonly RpcMessage[], batch = false): void {
  const { endpoint, exchange, peer } = call;
  const { protocol, sse } = endpoint;
  const { primingEvent } = protocol.featuresOf(session.revision);
  const { hasSessions: canAsk = false, pollAfterMs } = protocol.stateful ?? {};
  const [first] = messages;
  const requestId = batch || first?.kind !== 'request' ? undefined : first.id;
  const response = new StatefulResponse(peer, exchange, session, { primingEvent, requestId, ...sse });
  if (answerForm(exchange.header('accept') ?? '').endsWith('stream')) response.stream();
  const replies = messages.map((message): MaybePromise<Reply | undefined> => {
    if (message.kind === 'malformed') {
      return { status: 400, text: errorText(message.id, { rpcCode: message.code, message: message.reason }) };
    }
    const request = message as RpcRequest;
    return protocol.serveStateful({ message: request, route: { session, canAsk } }, response);
  });
  const finish = (settled: readonly (Reply | undefined)[]) => {
    const sent = settled.filter((reply) => reply !== undefined);
    const [only] = sent;
    if (!batch && only && only.status !== 200 && !exchange.isAnswered)
      sendReply(exchange, only, { peer, settings: endpoint.settings });
    else
      response.finish(
        sent.map(({ text, locked }) => (locked ? lockedText(locked, endpoint.settings) : text)),
        batch,
      );
  };
  if (replies.some((reply) => reply instanceof Promise)) {
    if (primingEvent && pollAfterMs !== undefined) response.pollAfter(pollAfterMs);
    void Promise.all(replies.map((reply) => Promise.resolve(reply))).then(finish);
  } else finish(replies as (Reply | undefined)[]);
}

/** Passes on the session that the request names, or a new one where sessions are turned off. */
function withSession(call: HttpCall, use: (session: Session) => void): void {
  const { endpoint, exchange, peer } = call;
  const { protocol } = endpoint;
  const version = exchange.header('mcp-protocol-version');
  if (version !== undefined && protocol.eraOf(version) !== 'stateful') {
    return refuse(call, new HttpFailure(400, INVALID_REQUEST, 'Unsupported MCP-Protocol-Version.'));
  }
  if (!protocol.stateful?.hasSessions)
    return use(protocol.detachedSession((version ?? ASSUMED) as Revision, peer.principal));
  const id = exchange.header('mcp-session-id');
  if (id !== undefined) return inSession(call, id, use);
  const message = 'Mcp-Session-Id is missing. Send "initialize" to open a session.';
  refuse(call, new HttpFailure(400, INVALID_REQUEST, message));
}
