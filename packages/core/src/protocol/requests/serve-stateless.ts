import type { MaybePromise } from '../../base/maybe-promise.js';
import { ActiveRequest } from './active-request.js';
import { errorReply, stoppingReply } from './answer.js';
import { isOffered } from '../revisions/capabilities.js';
import type { Engine } from '../engine.js';
import type { StatelessRequest } from './classify.js';
import type { ResponseChannel } from './response-channel.js';
import { statelessMethods } from './method-table.js';
import { StatelessInput } from '../rounds/stateless-input.js';
import { methodNotFound } from '../messages/protocol-errors.js';
import type { Reply } from '../messages/reply.js';
import { runInvocation } from './run-invocation.js';

/**
 * Answers a stateless request whose envelope and headers were already checked. Returns `undefined` when the
 * request was cancelled.
 */
export function serveStateless(
  engine: Engine,
  { id, method: name, params, envelope }: StatelessRequest,
  exchange: ResponseChannel,
): MaybePromise<Reply | undefined> {
  if (engine.traffic.draining) return stoppingReply(id);
  const codec = engine.codecs.get(envelope.version)!;
  const method = statelessMethods.get(name);
  if (!method || (method.capability && !isOffered(method.capability, engine.host.registry))) {
    return errorReply(id, methodNotFound(name), { era: 'stateless', logger: engine.host.logger });
  }
  const request = new ActiveRequest(
    id,
    codec,
    exchange,
    envelope,
    new StatelessInput(envelope.client.capabilities, codec.features),
  );
  return runInvocation(method, { engine, codec, params, request, exchange });
}
