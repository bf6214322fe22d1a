import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  AnswerPause,
  quotaOwnerOf,
  QuotaPool,
  principalKey,
  type QuotaOwner,
  type Connection,
} from '@toolwright/core/transport';
import type { HttpCall } from './endpoint.js';
import { HttpFault, INTERNAL_ERROR, INVALID_REQUEST } from './http-fault.js';
import { readBody } from './read-body.js';
import { refuseBody } from './refuse-body.js';
import { sendAccepted, sendFault } from './respond.js';
import { SseStream } from './sse-stream.js';

/** How many streams may be open at a time. */
const LIMITS = { max: 1_000, maxPerPrincipal: 64, maxAnonymous: 1_000 };

/**
 * The HTTP+SSE transport of 2024-11-05. GET opens a stream, and its first event names the address for POST.
 * Every answer comes on the stream.
 */
export class OldSse {
  readonly #connections = new Map<string, { connection: Connection; owner: string }>();
  /** The quota of streams. Each item ends its stream. */
  readonly #places = new QuotaPool<() => void>(LIMITS);

  /** Opens a stream. */
  get({ endpoint, req, res, peer }: HttpCall): void {
    const holder = quotaOwnerOf(peer);
    if (!this.#makeRoom(holder)) {
      return sendFault(
        res,
        new HttpFault(503, INTERNAL_ERROR, 'Too many streams. Try again later.', { 'Retry-After': '10' }),
      );
    }
    const id = randomBytes(16).toString('hex');
    const stream = new SseStream(res, endpoint.sse);
    const send = new AnswerPause().over((text) => stream.writeEvent('message', text));
    const connection = endpoint.protocol.connect(peer, send);
    this.#connections.set(id, { connection, owner: principalKey(peer.principal) });
    const end = () => {
      leavePlace();
      stream.close();
    };
    const leavePlace = this.#places.take(holder, end);
    res.once('close', () => {
      leavePlace();
      this.#connections.delete(id);
      connection.close();
    });
    stream.writeEvent('endpoint', `${pathOf(req)}?sessionId=${id}`);
  }

  /** False when all places are taken and no other anonymous address holds more of them than this one. */
  #makeRoom(holder: QuotaOwner): boolean {
    if (!this.#places.isExhaustedFor(holder) && !this.#places.isFullFor(holder)) return true;
    const endRival = this.#places.rivalOf(holder);
    endRival?.();
    return endRival !== undefined;
  }

  /** Takes a message for the stream that the query names. */
  post(call: HttpCall, id: string): void {
    const { res, peer } = call;
    const found = this.#connections.get(id);
    // The stream of another caller is treated like one that never existed.
    if (!found || found.owner !== principalKey(peer.principal)) {
      const { principal, ip } = peer;
      call.endpoint.protocol.noteRefusal({ reason: 'TW_SESSION_UNKNOWN', principal, ip });
      return sendFault(res, new HttpFault(404, INVALID_REQUEST, 'No such session.'));
    }
    readBody(call, (fault, body) => {
      if (fault) return refuseBody(call, fault);
      sendAccepted(res);
      found.connection.receive(body, peer);
    });
  }
}

/** The id in the query of a message for an old stream; `undefined` for any other request. */
export function oldSessionId(req: IncomingMessage): string | undefined {
  const query = req.url?.indexOf('?') ?? -1;
  return query < 0
    ? undefined
    : (new URLSearchParams(req.url!.slice(query + 1)).get('sessionId') ?? undefined);
}

function pathOf(req: IncomingMessage & { originalUrl?: string }): string {
  return (req.originalUrl ?? req.url ?? '/').split('?', 1)[0]!;
}
