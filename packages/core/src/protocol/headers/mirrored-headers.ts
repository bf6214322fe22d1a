import type { BoundTool } from '../../call/operation/operation.js';
import type { Registry } from '../../call/operation/registry.js';
import { decodeHeaderValue } from './header-value.js';
import { isJsonObject, type RpcRequest } from '../messages/json-rpc.js';
import { findHeaderMismatch, planParamHeaders, type ParamHeader } from './param-headers.js';
import { statelessMethods } from '../requests/method-table.js';
import { headerMismatch } from '../messages/protocol-errors.js';
import type { Principal } from '../../base/request-context.js';

/** Reads a header by its lower-case name. */
export type ReadHeader = (name: string) => string | undefined;

/** Tells which tools a caller may see. */
export interface ToolSight {
  registry: Registry;
  principal: Principal | undefined;
}

/**
 * Compares a request with the headers that repeat parts of it. `MCP-Protocol-Version` and `Mcp-Method` were
 * already compared when the request was classified; here they must be present.
 *
 * @throws {ProtocolError} -32020 when a header is missing or different
 */
export function checkMirroredHeaders(
  { method, params }: RpcRequest,
  read: ReadHeader,
  { registry, principal }: ToolSight,
): void {
  if (read('mcp-protocol-version') === undefined)
    throw headerMismatch('The header "MCP-Protocol-Version" is missing.');
  if (read('mcp-method') === undefined) throw headerMismatch('The header "Mcp-Method" is missing.');
  // The parameter that `Mcp-Name` repeats (2026-07-28 Standard Request Headers; Tasks, Routing Headers).
  const key = statelessMethods.get(method)?.calls?.parameter;
  if (key === undefined) return;
  checkName(params[key], read('mcp-name'));
  if (method !== 'tools/call') return;
  const tool = registry.tools.get(params['name'] as string);
  const headers = tool ? paramHeadersOf(tool) : [];
  // For a tool that is hidden from the caller, headers must make no difference: they would show that it
  // exists.
  if (headers.length === 0 || !registry.visible(tool!, principal)) return;
  const args = params['arguments'];
  const mismatch = findHeaderMismatch(headers, isJsonObject(args) ? args : {}, read);
  if (mismatch) throw headerMismatch(mismatch);
}

/** The headers that calls of a tool must have. They are looked for at its first call. */
const paramHeaders = new WeakMap<BoundTool, readonly ParamHeader[]>();

function paramHeadersOf(tool: BoundTool): readonly ParamHeader[] {
  let headers = paramHeaders.get(tool);
  if (!headers) {
    ({ headers } = planParamHeaders(tool.inputSchema));
    paramHeaders.set(tool, headers);
  }
  return headers;
}

function checkName(value: unknown, raw: string | undefined): void {
  if (raw === undefined) throw headerMismatch('The header "Mcp-Name" is missing.');
  if (raw === value) {
    // The usual case: plain text, and equal. A value that looks encoded is decoded below.
    if (!raw.startsWith('=?base64?') && /^[\x20-\x7e]*$/.test(raw)) return;
  }
  const decoded = decodeHeaderValue(raw);
  if (decoded === undefined) throw headerMismatch('The header "Mcp-Name" cannot be decoded.');
  // If the value has the wrong type, the method answers that the parameter is invalid.
  if (typeof value === 'string' && decoded !== value) {
    throw headerMismatch('The header "Mcp-Name" differs from the request.');
  }
}
