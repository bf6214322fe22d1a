import { errorReply, ProtocolError, unsupportedVersion, type Classified } from '@toolwright/core';
import type { HttpCall } from './endpoint.js';
import { INVALID_REQUEST } from './http-fault.js';
import { sendAccepted, sendReply } from './respond.js';

type LegacyMessage = Extract<Classified, { kind: 'initialize' | 'batch' | 'legacy' }>;

/** Meets a client of the older era where only 2026-07-28 is served: names the versions that are. */
export function refuseLegacy({ endpoint, res }: HttpCall, classified: LegacyMessage): void {
  const audience = { era: 'modern', logger: endpoint.protocol.engine.host.logger } as const;
  if (classified.kind === 'batch' || classified.message.kind === 'response') {
    const error = new ProtocolError(INVALID_REQUEST, 'Send one request or notification at a time.');
    return sendReply(res, errorReply(undefined, error, audience));
  }
  const { message } = classified;
  // A notification is never answered; without an era of ours there is nobody to hand it to.
  if (message.kind === 'notification') return sendAccepted(res);
  const requested = message.params['protocolVersion'];
  const version = typeof requested === 'string' ? requested : 'none';
  sendReply(res, errorReply(message.id, unsupportedVersion(version), audience));
}
