import { JsonRpcCode, type ProtocolError } from '../../base/errors/protocol-error.js';
import type { RequestId } from '../../base/request-context.js';

/** The answer to one request, ready for the wire. */
export interface Reply {
  /** The whole JSON-RPC message. */
  text: string;
  /** HTTP status, as long as nothing was streamed before it. */
  status: number;
  /** Tell the client when to come back (HTTP `Retry-After`). */
  retryAfterMs?: number;
  /** All scopes that the operation needs, when the caller's token lacks some (HTTP 403 with a challenge). */
  scopes?: readonly string[];
}

/** The one place where requests' answers become text. `result` is JSON already. */
export function resultText(id: RequestId, result: string): string {
  return typeof id === 'number'
    ? `{"jsonrpc":"2.0","id":${id},"result":${result}}`
    : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** An unreadable id is left out: the schema has no null for it. */
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

/** HTTP status of an error on 2026-07-28. Older clients take 404 for "session gone", so their errors are all 200. */
export function statelessStatus(rpcCode: number): number {
  return statuses[rpcCode] ?? 200;
}
