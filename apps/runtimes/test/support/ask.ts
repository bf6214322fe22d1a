type Json = Record<string, unknown>;

const STATELESS = '2026-07-28';
const STATEFUL = '2025-11-25';

export interface Answer {
  status: number;
  headers: Headers;
  /** The messages of the answer; JSON is one, a stream may have several. */
  messages: any[];
}

interface Parts {
  headers?: Record<string, string>;
  meta?: Json;
  capabilities?: Json;
  signal?: AbortSignal;
}

/** A request of 2026-07-28. */
export function modern(
  url: string,
  method: string,
  params: Json = {},
  { headers = {}, meta = {}, capabilities = {}, signal }: Parts = {},
): Promise<Response> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    ...meta,
  };
  const name = params['name'];
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': STATELESS,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
    ...(signal && { signal }),
  });
}

export async function ask(
  url: string,
  method: string,
  params: Json = {},
  parts: Parts = {},
): Promise<Answer> {
  return read(await modern(url, method, params, parts));
}

/** Calls a tool, and returns its result. */
export async function call(url: string, name: string, args: Json = {}, parts: Parts = {}): Promise<any> {
  const { messages } = await ask(url, 'tools/call', { name, arguments: args }, parts);
  return messages.at(-1).result;
}

/** A message of 2025-11-25. */
export async function old(
  url: string,
  message: Json,
  session?: string,
  { headers = {} }: Parts = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': STATEFUL,
      ...(session && { 'mcp-session-id': session }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  return read(response);
}

export const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: STATEFUL, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

export async function read(response: Response): Promise<Answer> {
  const { status, headers } = response;
  const text = await response.text();
  if (!headers.get('content-type')?.startsWith('text/event-stream'))
    return { status, headers, messages: text === '' ? [] : [JSON.parse(text)] };
  return { status, headers, messages: eventsIn(text) };
}

export function eventsIn(text: string): any[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
