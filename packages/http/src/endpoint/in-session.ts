import type { Reply, Session } from '@toolwright/core/transport';
import type { HttpCall } from './http-call.js';
import { HttpFailure, INVALID_REQUEST } from './http-failure.js';
import { passError } from './pass-error.js';
import { refuse } from './refuse.js';
import { sendFailure, sendReply } from './respond.js';

/**
 * Passes on the session with this id. If the caller has no such session, or it cannot be served now, the
 * request is answered here.
 */
export function inSession(call: HttpCall, id: string, use: (session: Session) => void): void {
  const { endpoint, exchange, peer } = call;
  const { protocol } = endpoint;
  if (id.includes(',')) {
    const message = 'Mcp-Session-Id was sent several times, with different values. Send one.';
    return refuse(call, new HttpFailure(400, INVALID_REQUEST, message));
  }
  const known = protocol.findSession(id, peer.principal);
  if (known) return use(known);
  const settle = (resumed: Session | Reply | undefined) => {
    if (!resumed) return sendFailure(exchange, sessionGone(call));
    if ('status' in resumed) return sendReply(exchange, resumed);
    use(resumed);
  };
  const resumed = protocol.resumeSession(id, peer);
  if (!(resumed instanceof Promise)) return settle(resumed);
  resumed.then(settle).catch((error: unknown) => passError(protocol, exchange, error));
}

/** 404 tells clients of the older era to open another session. No other case may answer 404. */
function sessionGone({ endpoint, peer }: HttpCall): HttpFailure {
  const { principal, ip } = peer;
  endpoint.protocol.noteRefusal({ reason: 'TW_SESSION_UNKNOWN', status: 404, principal, ip });
  return new HttpFailure(404, INVALID_REQUEST, 'No such session. Send "initialize" to open one.');
}
