import { requestOf } from '../../../../../src/inside/calls/request-of.js';
import type { CallRequest } from '../../../../../src/api/call-api.js';

/** The newest revision: it needs no handshake, so that one command is a whole call. */
const REVISION = '2026-07-28';

/** The call as a command for a shell. */
export function writeCurl(request: CallRequest, endpoint: string): string {
  const { method, params } = requestOf(request);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params['name'] ?? params['uri'];
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${REVISION}`,
    `Mcp-Method: ${method}`,
    ...(typeof name === 'string' ? [`Mcp-Name: ${headerValue(name)}`] : []),
    ...(request.as ? ['Authorization: Bearer $TOKEN'] : []),
  ];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } });
  // The token comes from the environment: double quotes let the shell fill it in.
  const quoted = headers.map((header) => (header.includes('$TOKEN') ? `"${header}"` : quote(header)));
  return [`curl ${quote(endpoint)}`, ...quoted.map((header) => `-H ${header}`), `-d ${quote(body)}`].join(
    ' \\\n  ',
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Headers carry ASCII; everything else in the protocol's own base64 form. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) return text;
  return `=?base64?${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}?=`;
}
