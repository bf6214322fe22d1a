import { type Peer, PIECE_LENGTH, ReaderQueue, type ReaderSettings } from '@toolwright/core/transport';
import type { Exchange } from './exchange.js';

/** Sends an answer as one body. A long one waits where the messages of streams wait, so that it counts as they do. */
export function sendWhole(
  exchange: Exchange,
  { status, text }: { readonly status: number; readonly text: string },
  { peer, settings }: { readonly peer: Peer; readonly settings: ReaderSettings },
): void {
  if (text.length <= PIECE_LENGTH) return exchange.sendJson(status, text);
  if (exchange.isAnswered) return;
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) };
  const queue = new ReaderQueue(exchange.openStream(headers, status), settings, peer);
  exchange.whenClosed(() => queue.release());
  queue.writeAsIs(text);
  queue.end();
}
