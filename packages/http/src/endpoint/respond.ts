import { errorText, type Peer, type Reply } from '@toolwright/core/transport';
import { bearerChallenge } from '../auth/bearer.js';
import type { Exchange } from './exchange.js';
import type { HttpFailure } from './http-failure.js';

const INSUFFICIENT = {
  error: 'insufficient_scope',
  error_description: 'The access token lacks scopes that this operation needs.',
} as const;

/** The caller, and where a client learns how to get a token with the scopes that it lacks. */
export interface Asker {
  readonly peer: Peer;
  readonly resourceMetadata: string | undefined;
}

/**
 * @param asker the caller of a request. If an anonymous caller lacks scopes, it is asked to authenticate
 *   (401) and not refused
 */
export function sendReply(exchange: Exchange, reply: Reply, asker?: Asker): void {
  const { text, retryAfterMs, scopes } = reply;
  let { status } = reply;
  if (retryAfterMs !== undefined) {
    exchange.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  }
  if (scopes) {
    const isAnonymous = asker !== undefined && asker.peer.principal === undefined;
    if (isAnonymous) status = 401;
    // A caller without a token made no mistake for which there is a code (RFC 6750 section 3.1).
    const failure = isAnonymous ? {} : INSUFFICIENT;
    const asked = { scope: scopes.join(' '), resource_metadata: asker?.resourceMetadata };
    exchange.setHeader('WWW-Authenticate', bearerChallenge({ ...failure, ...asked }));
  }
  exchange.sendJson(status, text);
}

export function sendFailure(exchange: Exchange, { status, rpcCode, message, headers }: HttpFailure): void {
  if (exchange.isAnswered) return;
  for (const [name, value] of Object.entries(headers)) exchange.setHeader(name, value);
  exchange.sendJson(status, errorText(undefined, { rpcCode, message }));
}

/** 202: a notification or a response was accepted. */
export function sendAccepted(exchange: Exchange): void {
  exchange.sendEmpty(202);
}
