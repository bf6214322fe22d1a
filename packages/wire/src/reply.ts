import {
  RETRY_AFTER_MS,
  JsonRpcCode,
  ProtocolError,
  isProtocolError,
  isToolError,
} from '@toolwright/ground/base/errors/errors';
import type { Era, RequestId } from '@toolwright/ground/base/request-context';
import { sendableError } from '@toolwright/ground/call/refuse';
import { randomIds } from '@toolwright/ground/ports/clock-and-ids';
import type { Logger } from '@toolwright/ground/ports/logger';
import { errorText } from './json-rpc.js';

/** The answer to one request, ready to be sent. */
export interface Reply {
  /** The whole JSON-RPC message. */
  text: string;
  /** The HTTP status. It is used only when nothing was streamed before the answer. */
  status: number;
  /** When the client should try again, in milliseconds (HTTP `Retry-After`). */
  retryAfterMs?: number;
  /** Present when the caller's token lacks scopes. The text then has a challenge that names no metadata. */
  locked?: LockedReply;
}

/** The answer to a caller that lacks scopes. Its form depends on what the transport knows. */
export interface LockedReply {
  /**
   * The scopes that the caller should ask for. On 2026-07-28 these are the ones of the operation, and the client adds
   * them to what it has (SEP-2350). On older revisions, the scopes that the caller has are added, because its client
   * replaces what it had.
   */
  readonly scopes: readonly string[];
  /** What the client calls itself. */
  readonly client: string | undefined;
  /** The whole JSON-RPC message, with the value of `WWW-Authenticate` in it. */
  text(challenge: string): string;
}

/** The member of `_meta` where some hosts look for challenges, such as ChatGPT. */
export const CHALLENGE_META = 'mcp/www_authenticate';

/**
 * The HTTP statuses of errors on 2026-07-28. Errors of older revisions always have status 200, because older
 * clients take 404 for "the session has ended".
 */
const statuses: Readonly<Record<number, number>> = {
  [JsonRpcCode.parseError]: 400,
  [JsonRpcCode.invalidRequest]: 400,
  [JsonRpcCode.methodNotFound]: 404,
  [JsonRpcCode.headerMismatch]: 400,
  [JsonRpcCode.missingClientCapability]: 400,
  [JsonRpcCode.unsupportedProtocolVersion]: 400,
};

/** The error codes that 2026-07-28 introduced, and the codes that replace them on older revisions. */
const statefulCodes: Readonly<Record<number, number>> = {
  [JsonRpcCode.missingClientCapability]: JsonRpcCode.invalidRequest,
  [JsonRpcCode.headerMismatch]: JsonRpcCode.invalidRequest,
};

const TOO_MANY_REQUESTS = 429;

/**
 * Turns an error into an answer; no other code does this. Errors that are not meant for the client are
 * logged; the client gets a reference to the line of the log.
 */
export function errorReply(
  id: RequestId | null | undefined,
  error: unknown,
  { era, logger }: { era: Era; logger: Logger },
): Reply {
  const shown = errorForClient(error, logger);
  const rpcCode = era === 'stateful' ? (statefulCodes[shown.rpcCode] ?? shown.rpcCode) : shown.rpcCode;
  const { message, data } = shown;
  const reply: Reply = {
    text: errorText(id, { rpcCode, message, data }),
    status: era === 'stateful' ? 200 : (statuses[rpcCode] ?? 200),
  };
  const wait = data?.['retryAfterMs'];
  if (typeof wait !== 'number') return reply;
  // A caller over its own quota gets 429 (RFC 6585). For anything else the server is responsible, and load
  // balancers understand 503.
  return { ...reply, status: rpcCode === TOO_MANY_REQUESTS ? 429 : 503, retryAfterMs: wait };
}

/** The part of an error that a client may know. */
export function errorForClient(error: unknown, logger: Logger): ProtocolError {
  if (isProtocolError(error)) return sendableError(error, logger);
  if (isToolError(error)) return new ProtocolError(JsonRpcCode.internalError, error.message);
  const reference = randomIds.reference();
  logger.error({ err: error, reference }, 'A request failed.');
  return new ProtocolError(JsonRpcCode.internalError, `Internal error (ref ${reference})`);
}

/** The answer to requests that arrive while the server stops. */
export function stoppingReply(id: RequestId | undefined): Reply {
  const error = {
    rpcCode: JsonRpcCode.internalError,
    message: 'The server is stopping.',
    data: { retryAfterMs: RETRY_AFTER_MS.away },
  };
  return { text: errorText(id, error), status: 503, retryAfterMs: RETRY_AFTER_MS.away };
}
