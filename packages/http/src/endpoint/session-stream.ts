import type { HttpCall } from './http-call.js';
import { HttpFailure, INVALID_REQUEST } from './http-failure.js';
import { inSession } from './in-session.js';
import { passError } from './pass-error.js';
import { refuse } from './refuse.js';
import { weightIn } from './respond.js';
import { SseStream } from './sse-stream.js';

/**
 * GET: opens the stream of a session for messages that belong to no request, or resumes a stream that broke.
 */
export function getStream(call: HttpCall): void {
  const { endpoint, exchange, peer } = call;
  const id = sessionId(call);
  if (id instanceof HttpFailure) return refuse(call, id);
  if (!acceptsEvents(exchange.header('accept'))) {
    return refuse(call, new HttpFailure(406, INVALID_REQUEST, 'Accept must include text/event-stream.'));
  }
  inSession(call, id, (session) => {
    session.presumeInitialized();
    // The client may have gone while its session was being resumed. Nothing would end its stream.
    if (exchange.isClosed) return exchange.drop();
    const { streams } = session;
    const sink = new SseStream(exchange, endpoint.sse, peer);
    // Here, the first message may be hours away.
    sink.begin();
    const lastEventId = exchange.header('last-event-id');
    if (lastEventId === undefined) return exchange.whenClosed(streams.listen(sink));
    streams.resume(lastEventId, sink).then(
      (detach) => (exchange.isClosed ? detach() : exchange.whenClosed(detach)),
      (error: unknown) => {
        endpoint.protocol.logger.error({ err: error }, 'A stream could not be resumed.');
        sink.close();
      },
    );
  });
}

/** DELETE: the client no longer needs its session. */
export function deleteSession(call: HttpCall): void {
  const { endpoint, exchange } = call;
  const id = sessionId(call);
  if (id instanceof HttpFailure) return refuse(call, id);
  inSession(call, id, () => {
    endpoint.protocol.endSession(id).then(
      () => exchange.sendEmpty(200),
      (error: unknown) => passError(endpoint.protocol, exchange, error),
    );
  });
}

/** Only an older client with a session may use this. Stateless revisions use only POST. */
function sessionId({ endpoint, exchange }: HttpCall): string | HttpFailure {
  const version = exchange.header('mcp-protocol-version');
  const id = exchange.header('mcp-session-id');
  const { protocol } = endpoint;
  const era = version === undefined ? 'stateful' : protocol.eraOf(version);
  if (!protocol.stateful?.hasSessions || era === 'stateless') return methodNotAllowed('POST');
  if (era !== 'stateful') {
    return new HttpFailure(400, INVALID_REQUEST, 'Unsupported MCP-Protocol-Version.');
  }
  if (id !== undefined) return id;
  return version === undefined
    ? methodNotAllowed('POST, GET, DELETE')
    : new HttpFailure(400, INVALID_REQUEST, 'Mcp-Session-Id is missing.');
}

export function methodNotAllowed(allow: string): HttpFailure {
  return new HttpFailure(
    405,
    INVALID_REQUEST,
    'Method not allowed. This is an MCP endpoint: POST a JSON-RPC message.',
    { Allow: allow },
  );
}

function acceptsEvents(accept: string | undefined): boolean {
  return accept === undefined || (weightIn(accept, 'text/event-stream') ?? 0) > 0;
}
