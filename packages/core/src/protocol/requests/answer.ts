import { InsufficientScopeError } from '../../base/errors/insufficient-scope-error.js';
import { JsonRpcCode, ProtocolError } from '../../base/errors/protocol-error.js';
import { ToolError } from '../../base/errors/tool-error.js';
import { randomIds } from '../../ports/id-source.js';
import type { Logger } from '../../ports/logger.js';
import { errorText, statelessStatus, type Reply } from '../messages/reply.js';
import type { Era } from '../../base/revision.js';
import type { RequestId } from '../../base/request-context.js';

/** Codes that 2026-07-28 introduced, as older revisions know them. */
const statefulCodes: Readonly<Record<number, number>> = {
  [JsonRpcCode.missingClientCapability]: JsonRpcCode.invalidRequest,
  [JsonRpcCode.headerMismatch]: JsonRpcCode.invalidRequest,
};

const TOO_MANY_REQUESTS = 429;

/** The one place where errors become answers. What nobody meant for the client is logged and not told. */
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
  // The caller's own quota is its problem (RFC 6585); anything else is the server's, as load balancers understand 503.
  return { ...reply, status: rpcCode === TOO_MANY_REQUESTS ? 429 : 503, retryAfterMs: wait };
}

export interface ErrorAudience {
  era: Era;
  logger: Logger;
}

/** What a client may know of an error. */
export function tellable(error: unknown, logger: Logger): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof ToolError) return new ProtocolError(JsonRpcCode.internalError, error.message);
  const reference = randomIds.reference();
  logger.error({ err: error, reference }, 'A request failed.');
  return new ProtocolError(JsonRpcCode.internalError, `Internal error (ref ${reference})`);
}

/** Milliseconds after which another instance, or the next start of this one, should be there. */
const COME_BACK_MS = 5000;

/** The answer to what arrives while the server stops. */
export function stoppingReply(id: RequestId): Reply {
  const error = {
    rpcCode: JsonRpcCode.internalError,
    message: 'The server is stopping.',
    data: { retryAfterMs: COME_BACK_MS },
  };
  return { text: errorText(id, error), status: 503, retryAfterMs: COME_BACK_MS };
}
