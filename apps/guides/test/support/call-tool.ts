import { request } from 'node:http';

/** The parts of an answer that tests look at. */
export interface Answer {
  status: number;
  body: any;
}

/** Calls a tool on 2026-07-28, with headers that `fetch` would not send, such as Host. */
export function callTool(
  url: string,
  [name, args]: [name: string, args?: object],
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name,
      arguments: args ?? {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  const all = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': name,
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: all }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve({ status: response.statusCode!, body: read(Buffer.concat(parts)) }));
    });
    sent.on('error', reject).end(body);
  });
}

function read(bytes: Buffer): unknown {
  const text = bytes.toString();
  return text.startsWith('{') ? JSON.parse(text) : text;
}
