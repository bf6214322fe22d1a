import { JsonRpcCode, type ProtocolError } from '../../base/errors/protocol-error.js';
import type { RequestId } from '../../base/request-context.js';

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

/** Turns the answer of a request into text; no other code does this. `result` is already JSON. */
export function resultText(id: RequestId, result: string): string {
  return typeof id === 'number'
    ? `{"jsonrpc":"2.0","id":${id},"result":${result}}`
    : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** An id that could not be read is left out, because the schema does not allow `null` for it. */
export function errorText(id: RequestId | undefined, { rpcCode, message, data }: ErrorShape): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: rpcCode, message, data } });
}

export type ErrorShape = Pick<ProtocolError, 'rpcCode' | 'message' | 'data'>;

export function notificationText(method: string, params?: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

export function requestText(id: RequestId, method: string, params: Record<string, unknown>): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
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
