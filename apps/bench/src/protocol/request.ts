import { ENDPOINT } from '../contestants/work.js';
import type { Dialect } from '../contestants/settings.js';

/** A JSON-RPC request, before it is put into a dialect. */
export interface Question {
  method: string;
  params: object;
  /** Ask for progress under the request's own id. */
  progress?: boolean;
  /** What the client says that it can do; default: nothing. */
  capabilities?: object;
}

/** Ready to be sent as `POST /mcp`. */
export interface WireRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Conversation {
  dialect: Dialect;
  session?: string;
  /** A bearer token. */
  token?: string | undefined;
}

const clientInfo = { name: 'bench', version: '1.0.0' };

export const REVISION: Record<Dialect, string> = {
  modern: '2026-07-28',
  session: '2025-11-25',
  stateless: '2025-11-25',
};

/** Puts a question into a dialect. An `id` of undefined makes it a notification. */
export function wireRequest(question: Question, id: number | undefined, talk: Conversation): WireRequest {
  const headers = { ...baseHeaders(talk), ...(talk.dialect === 'modern' && modernHeaders(question)) };
  return { path: ENDPOINT, headers, body: JSON.stringify(jsonRpc(question, id, talk.dialect)) };
}

/** The JSON-RPC message alone, for stdio. */
export function jsonRpc(
  { method, params, progress, capabilities = {} }: Question,
  id: number | undefined,
  dialect: Dialect,
) {
  const meta = {
    ...(dialect === 'modern' && {
      'io.modelcontextprotocol/protocolVersion': REVISION.modern,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': clientInfo,
    }),
    ...(progress && { progressToken: id }),
  };
  const withMeta = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
  return { jsonrpc: '2.0', ...(id !== undefined && { id }), method, params: withMeta };
}

export const initialize: Question = {
  method: 'initialize',
  params: { protocolVersion: REVISION.session, capabilities: {}, clientInfo },
};

export const initialized: Question = { method: 'notifications/initialized', params: {} };

function baseHeaders({ dialect, session, token }: Conversation): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION[dialect],
    ...(session && { 'mcp-session-id': session }),
    ...(token && { authorization: `Bearer ${token}` }),
  };
}

function modernHeaders({ method, params }: Question): Record<string, string> {
  const { name = undefined, taskId = name } = params as { name?: string; taskId?: string };
  return { 'mcp-method': method, ...(taskId && { 'mcp-name': taskId }) };
}
