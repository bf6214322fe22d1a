import { stoppingReply, type StatelessRequest } from '@toolwright/core/transport';
import type { HttpCall } from './endpoint.js';
import { StatelessResponse } from './stateless-response.js';
import { sendReply } from './respond.js';

/** Answers a request of the stateless era. */
export function postStateless({ endpoint, res, peer }: HttpCall, message: StatelessRequest): void {
  const { protocol } = endpoint;
  if (protocol.draining) return sendReply(res, stoppingReply(message.id));
  const exchange = new StatelessResponse(peer, res, endpoint);
  const reply = protocol.serveStateless(message, exchange);
  if (!(reply instanceof Promise)) return exchange.finish(reply);
  exchange.watch();
  void reply.then((settled) => exchange.finish(settled));
}
