export interface CallParts {
  id?: number;
  user?: string;
  tenant?: string;
  meta?: Record<string, unknown>;
}

/** A `tools/call` of 2026-07-28 as it goes over the wire. */
export function callBytes(name: string, args: Record<string, unknown> = {}, parts: CallParts = {}): string {
  return requestBytes('tools/call', { name, arguments: args }, parts);
}

export function requestBytes(method: string, params: Record<string, unknown>, parts: CallParts = {}): string {
  const { id = 1, user, tenant, meta } = parts;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...meta,
  };
  const headers = {
    'Mcp-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof params['name'] === 'string' && { 'Mcp-Name': params['name'] }),
    ...(user !== undefined && { 'X-User': user }),
    ...(tenant !== undefined && { 'X-Tenant': tenant }),
  };
  return postBytes(JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }), headers);
}

export function postBytes(body: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({
    Host: '127.0.0.1',
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
