import { JsonRpcCode } from '../../base/errors/errors.js';

/** The answer to one request, ready to be sent. */
export interface Reply {
  /** The whole JSON-RPC message. */
  text: string;
  /** The HTTP status. It is used only when nothing was streamed before the answer. */
  status: number;
  /** When the client should try again, in milliseconds (HTTP `Retry-After`). */
  retryAfterMs?: number;
  /**
   * All scopes that the operation needs. Present when the caller's token lacks some of them (HTTP 403 with a
   * challenge).
   */
  scopes?: readonly string[];
}

const statuses: Readonly<Record<number, number>> = {
  [JsonRpcCode.parseError]: 400,
  [JsonRpcCode.invalidRequest]: 400,
  [JsonRpcCode.methodNotFound]: 404,
  [JsonRpcCode.headerMismatch]: 400,
  [JsonRpcCode.missingClientCapability]: 400,
  [JsonRpcCode.unsupportedProtocolVersion]: 400,
};

/**
 * The HTTP status of an error on 2026-07-28. Errors of older revisions always have status 200, because older
 * clients take 404 for "the session has ended".
 */
export function statelessStatus(rpcCode: number): number {
  return statuses[rpcCode] ?? 200;
}
