import type { ServerResponse } from 'node:http';
import { errorText, type Peer, type Reply } from '@toolwright/core/transport';
import { bearerChallenge } from './auth/challenge.js';
import type { HttpFault } from './http-fault.js';

const INSUFFICIENT = {
  error: 'insufficient_scope',
  error_description: 'The access token lacks scopes that this operation needs.',
} as const;

/**
 * Sends a whole JSON answer, after the event loop has handled all requests that came with this one. Reading,
 * working and writing in turn keeps the processor's caches warm and wakes the reader less often (see ADR 11).
 */
export function sendJson(res: ServerResponse, status: number, text: string): void {
  setImmediate(writeJson, res, status, text);
}

/** The length is known, so the connection can be used again at once. */
function writeJson(res: ServerResponse, status: number, text: string): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}

/** The caller, and where a client learns how to get a token with the scopes that it lacks. */
export interface Asker {
  readonly peer: Peer;
  readonly resourceMetadata: string | undefined;
}

/**
 * @param asker the caller of a request. If an anonymous caller lacks scopes, it is asked to authenticate
 *   (401) and not refused
 */
export function sendReply(res: ServerResponse, reply: Reply, asker?: Asker): void {
  const { text, retryAfterMs, scopes } = reply;
  let { status } = reply;
  if (retryAfterMs !== undefined && !res.headersSent) {
    res.setHeader('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  }
  if (scopes && !res.headersSent) {
    const isAnonymous = asker !== undefined && asker.peer.principal === undefined;
    if (isAnonymous) status = 401;
    // A caller without a token made no mistake for which there is a code (RFC 6750 section 3.1).
    const fault = isAnonymous ? {} : INSUFFICIENT;
    const asked = { scope: scopes.join(' '), resource_metadata: asker?.resourceMetadata };
    res.setHeader('WWW-Authenticate', bearerChallenge({ ...fault, ...asked }));
  }
  sendJson(res, status, text);
}

export function sendFault(res: ServerResponse, { status, rpcCode, message, headers }: HttpFault): void {
  if (res.headersSent || res.destroyed) return;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  sendJson(res, status, errorText(undefined, { rpcCode, message }));
}

/** 202: a notification or a response was accepted. */
export function sendAccepted(res: ServerResponse): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(202, { 'Content-Length': 0 });
  res.end();
}
