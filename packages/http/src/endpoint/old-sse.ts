import { randomBytes } from 'node:crypto';
import {
  AnswerPause,
  quotaOwnerOf,
  QuotaPool,
  principalKey,
  type QuotaOwner,
  type Connection,
} from '@toolwright/core/transport';
import type { Exchange } from './exchange.js';
import type { HttpCall } from './http-call.js';
import { HttpFailure, INTERNAL_ERROR, INVALID_REQUEST } from './http-failure.js';
import { sendFailure } from './respond.js';
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
  readonly #places: QuotaPool<() => void>;

  /** @param maxPerTenant as of `subscriptions` */
  constructor(maxPerTenant?: number) {
    this.#places = new QuotaPool({ ...LIMITS, ...(maxPerTenant !== undefined && { maxPerTenant }) });
  }

  /** Opens a stream. */
  get({ endpoint, exchange, peer }: HttpCall): void {
    const holder = quotaOwnerOf(peer);
    if (!this.#makeRoom(holder)) {
      return sendFailure(
        exchange,
        new HttpFailure(503, INTERNAL_ERROR, 'Too many streams. Try again later.', { 'Retry-After': '10' }),
      );
    }
    const id = randomBytes(16).toString('hex');
    const stream = new SseStream(exchange, endpoint.sse, peer);
    const send = new AnswerPause().over((text) => stream.writeEvent('message', text));
    const connection = endpoint.protocol.connect(peer, send, () => stream.isBehind);
    this.#connections.set(id, { connection, owner: principalKey(peer.principal) });
    const end = () => {
      leavePlace();
      stream.close();
    };
    const leavePlace = this.#places.take(holder, end);
    exchange.whenClosed(() => {
      leavePlace();
      this.#connections.delete(id);
      connection.close();
    });
    stream.writeEvent('endpoint', `${pathOf(exchange)}?sessionId=${id}`);
  }

  /** False when all places are taken and no other anonymous address holds more of them than this one. */
  #makeRoom(holder: QuotaOwner): boolean {
    if (!this.#places.isExhaustedFor(holder) && !this.#places.isFullFor(holder)) return true;
    const endRival = this.#places.evictionCandidate(holder);
    endRival?.();
    return endRival !== undefined;
  }

  /** The stream that the query names. */
  find({ endpoint, exchange, peer }: HttpCall, id: string): Connection | undefined {
    const found = this.#connections.get(id);
    // The stream of another caller is treated like one that never existed.
    if (found && found.owner === principalKey(peer.principal)) return found.connection;
    const { principal, ip } = peer;
    endpoint.protocol.noteRefusal({ reason: 'TW_SESSION_UNKNOWN', status: 404, principal, ip });
    sendFailure(exchange, new HttpFailure(404, INVALID_REQUEST, 'No such session.'));
    return undefined;
  }
}

/** The id in the query of a message for an old stream; `undefined` for any other request. */
export function oldSessionId({ target }: Exchange): string | undefined {
  const query = target.indexOf('?');
  return query < 0 ? undefined : (new URLSearchParams(target.slice(query + 1)).get('sessionId') ?? undefined);
}

function pathOf({ target }: Exchange): string {
  return target.split('?', 1)[0]!;
}
