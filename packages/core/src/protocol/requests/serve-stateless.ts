import type { MaybePromise } from '../../base/maybe-promise.js';
import { ActiveRequest } from './active-request.js';
import { errorReply } from './answer.js';
import { isOffered } from '../revisions/capabilities.js';
import type { Engine } from '../engine.js';
import type { ModernRequest } from './classify.js';
import type { Exchange } from './exchange.js';
import { modernMethods } from './method-table.js';
import { ModernInput } from '../rounds/stateless-input.js';
import { methodNotFound } from '../messages/protocol-errors.js';
import type { Reply } from '../messages/reply.js';
import { runInvocation } from './run-invocation.js';

/** Answers a 2026-07-28 request whose envelope and headers were found in order. Undefined: given up, no answer. */
export function serveModern(
  engine: Engine,
  { id, method: name, params, envelope }: ModernRequest,
  exchange: Exchange,
): MaybePromise<Reply | undefined> {
  const codec = engine.codec('2026-07-28');
  const method = modernMethods.get(name);
  if (!method || (method.capability && !isOffered(method.capability, engine.host.registry))) {
    return errorReply(id, methodNotFound(name), { era: 'modern', logger: engine.host.logger });
  }
  const request = new ActiveRequest(
    id,
    codec,
    exchange,
    envelope,
    new ModernInput(envelope.client.capabilities),
  );
  return runInvocation(method, { engine, codec, params, request, exchange });
}
