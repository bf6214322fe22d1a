import { envelope, modern, type WireRequest } from './wire.js';

export const raw = (body: unknown, headers: WireRequest['headers'] = {}): WireRequest => ({ body, headers });
export const listHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
export const bare = modern('tools/list').body as { params: { _meta: Record<string, unknown> } };
/** A list request with some of its `_meta` changed. */
export const meta = (change: Record<string, unknown>) => modern('tools/list', { meta: change });
export const message = (rest: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/list',
  params: { _meta: envelope() },
  ...rest,
});
/** A value as a header carries it when it is not plain. */
export const encoded = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;
