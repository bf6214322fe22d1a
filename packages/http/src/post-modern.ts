import {
  checkMirroredHeaders,
  errorReply,
  isModernRevision,
  noteRefusedMessage,
  ProtocolError,
  stoppingReply,
  unsupportedVersion,
  type ModernRequest,
} from '@toolwright/core';
import { readHeader, type HttpCall } from './endpoint.js';
import { ModernExchange } from './modern-exchange.js';
import { sendReply } from './respond.js';

/** Answers a request of 2026-07-28. */
export function postModern({ endpoint, headers, res, peer }: HttpCall, message: ModernRequest): void {
  const { protocol } = endpoint;
  const { host, traffic } = protocol.engine;
  try {
    if (!isModernRevision(message.envelope.version)) throw unsupportedVersion(message.envelope.version);
    const { registry } = host;
    checkMirroredHeaders(message, (name) => readHeader(headers, name), {
      registry,
      principal: peer.principal,
    });
  } catch (error) {
    if (error instanceof ProtocolError) noteRefusedMessage(protocol.engine, message, { peer, error });
    return sendReply(res, errorReply(message.id, error, { era: 'modern', logger: host.logger }));
  }
  if (traffic.draining) return sendReply(res, stoppingReply(message.id));
  const exchange = new ModernExchange(peer, res, endpoint);
  const reply = protocol.serveModern(message, exchange);
  if (!(reply instanceof Promise)) return exchange.finish(reply);
  exchange.watch();
  void reply.then((settled) => exchange.finish(settled));
}
