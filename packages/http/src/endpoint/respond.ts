import { errorText, type LockedReply, type Peer, type Reply } from '@toolwright/core/transport';
import { type ChallengeForm, type ChallengeParameters, formFor } from './bearer.js';
import type { Exchange } from './exchange.js';
import type { HttpFailure } from './http-failure.js';

const INSUFFICIENT = {
  error: 'insufficient_scope',
  error_description: 'The access token lacks scopes that this operation needs.',
} as const;

/** The caller, and where and in which form a client learns how to get a token with the scopes that it lacks. */
export interface Asker {
  readonly peer: Peer;
  readonly settings: Challenging;
}

/** What an endpoint says in challenges. */
export interface Challenging {
  readonly writeChallenge: (parameters: ChallengeParameters) => string;
  readonly challenge: ChallengeForm;
}

/** @param asker the caller of a request */
export function sendReply(exchange: Exchange, reply: Reply, asker?: Asker): void {
  const { text, status, retryAfterMs, locked } = reply;
  if (retryAfterMs !== undefined) {
    exchange.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  }
  if (locked && asker) sendLocked(exchange, locked, asker);
  else exchange.sendJson(status, text);
}

/** If an anonymous caller lacks scopes, it is asked to authenticate (401) and not refused (403). */
function sendLocked(exchange: Exchange, locked: LockedReply, { peer, settings }: Asker): void {
  const text = lockedText(locked, settings);
  if (formFor(settings.challenge, locked.client) === 'result') return exchange.sendJson(200, text);
  const isAnonymous = peer.principal === undefined;
  // A challenge to a caller without a token has no error code (RFC 6750 section 3.1).
  const failure = isAnonymous ? {} : INSUFFICIENT;
  exchange.setHeader('WWW-Authenticate', challengeFor(locked, settings, failure));
  exchange.sendJson(isAnonymous ? 401 : 403, text);
}

/** The body: hosts that read the challenge there begin the sign-in only if it has an error and its description. */
export function lockedText(locked: LockedReply, settings: Challenging): string {
  return locked.text(challengeFor(locked, settings, INSUFFICIENT));
}

function challengeFor({ scopes }: LockedReply, settings: Challenging, failure: ChallengeParameters): string {
  return settings.writeChallenge({ ...failure, scope: scopes.join(' ') });
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

/**
 * How a client reads answers: as JSON (or as a stream where messages come first), rather as a stream, as a stream alone,
 * or not at all. A client that names neither form reads JSON.
 */
export function answerForm(accept: string): 'json' | 'stream' | 'only stream' | 'none' {
  const json = weightIn(accept, 'application/json');
  const events = weightIn(accept, 'text/event-stream');
  // Any call may have to ask its user something first.
  if (events === 0 || (json === 0 && !events)) return 'none';
  if (!events) return 'json';
  if (!json) return 'only stream';
  // If the client likes them equally, the first one that it names is used.
  const isFirst = accept.indexOf('text/event-stream') < accept.indexOf('application/json');
  return events > json || (events === json && isFirst && accept.includes('text/event-stream'))
    ? 'stream'
    : 'json';
}

/** How much a client wants a media type, from 0 (refused) to 1; undefined if `accept` says nothing about it (RFC 9110, 12.5.1). */
export function weightIn(accept: string, type: string): number | undefined {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()));
  for (const wanted of [type, `${type.split('/', 1)[0]}/*`, '*/*']) {
    const found = ranges.find(([named]) => named === wanted);
    if (!found) continue;
    const weight = Number(found.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
    return Number.isNaN(weight) ? 1 : weight;
  }
  return undefined;
}
