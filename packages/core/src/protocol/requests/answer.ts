import { InsufficientScopeError } from '../../base/errors/specific-errors.js';
import { JsonRpcCode, ProtocolError, ToolError } from '../../base/errors/errors.js';
import { randomIds } from '../../ports/id-source.js';
import type { Logger } from '../../ports/logger.js';
import { errorText } from '../messages/json-rpc.js';
import { statelessStatus, type Reply } from '../messages/reply.js';
import type { Era, RequestId } from '../../base/request-context.js';

/** The error codes that 2026-07-28 introduced, and the codes that replace them on older revisions. */
const statefulCodes: Readonly<Record<number, number>> = {
  [JsonRpcCode.missingClientCapability]: JsonRpcCode.invalidRequest,
  [JsonRpcCode.headerMismatch]: JsonRpcCode.invalidRequest,
};

const TOO_MANY_REQUESTS = 429;

/**
 * Turns an error into an answer; no other code does this. Errors that are not meant for the client are
 * logged, and the client is not told.
 */
export function errorReply(id: RequestId | undefined, error: unknown, { era, logger }: ErrorAudience): Reply {
  const told = tellable(error, logger);
  const rpcCode = era === 'stateful' ? (statefulCodes[told.rpcCode] ?? told.rpcCode) : told.rpcCode;
  const { message, data } = told;
  const reply: Reply = {
    text: errorText(id, { rpcCode, message, data }),
    status: era === 'stateful' ? 200 : statelessStatus(rpcCode),
  };
  if (error instanceof InsufficientScopeError) return { ...reply, status: 403, scopes: error.scopes };
  const wait = data?.['retryAfterMs'];
  if (typeof wait !== 'number') return reply;
  // A caller over its own quota gets 429 (RFC 6585). For anything else the server is responsible, and load
  // balancers understand 503.
  return { ...reply, status: rpcCode === TOO_MANY_REQUESTS ? 429 : 503, retryAfterMs: wait };
}

export interface ErrorAudience {
  era: Era;
  logger: Logger;
}

/** The part of an error that a client may know. */
export function tellable(error: unknown, logger: Logger): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof ToolError) return new ProtocolError(JsonRpcCode.internalError, error.message);
  const reference = randomIds.reference();
  logger.error({ err: error, reference }, 'A request failed.');
  return new ProtocolError(JsonRpcCode.internalError, `Internal error (ref ${reference})`);
}

/** After how many milliseconds another instance, or this one after a restart, should be available. */
const COME_BACK_MS = 5000;

/** The answer to requests that arrive while the server stops. */
export function stoppingReply(id: RequestId | undefined): Reply {
  const error = {
    rpcCode: JsonRpcCode.internalError,
    message: 'The server is stopping.',
    data: { retryAfterMs: COME_BACK_MS },
  };
  return { text: errorText(id, error), status: 503, retryAfterMs: COME_BACK_MS };
}
