import { Agent, request, type IncomingMessage } from 'node:http';

/** What a request says, beside its method and parameters. */
export interface Asking {
  /** Who asks. Undefined: nobody in particular. */
  user?: string | undefined;
  /** The id of a session of 2025-11-25. Without it, the request is one of 2026-07-28. */
  session?: string | undefined;
  id?: number | undefined;
  signal?: AbortSignal | undefined;
  agent?: Agent | undefined;
}

/** An answer of the server. */
export interface Answer {
  status: number;
  /** Undefined when the body is not JSON. */
  message: RpcMessage | undefined;
}

/** What load and tests read of a message. */
export interface RpcMessage {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: {
    structuredContent?: unknown;
    content?: { text?: string }[];
    isError?: boolean;
    [name: string]: unknown;
  };
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

/** Keeps its connections. Each request may go to another replica: the balancer decides. */
export const sharedAgent = new Agent({ keepAlive: true, maxSockets: Infinity });

const STATELESS = '2026-07-28';
const STATEFUL = '2025-11-25';

/** Calls a tool and reads the whole answer. */
export function callTool(
  url: string,
  name: string,
  args: Record<string, unknown>,
  asking: Asking = {},
): Promise<Answer> {
  return post(url, 'tools/call', { name, arguments: args }, asking);
}

/** Sends a request and reads the whole answer, whether it is JSON or a stream. */
export async function post(
  url: string,
  method: string,
  params: Record<string, unknown>,
  asking: Asking = {},
): Promise<Answer> {
  const response = await openPost(url, method, params, asking);
  const body = await readAll(response);
  const isStream = response.headers['content-type']?.startsWith('text/event-stream');
  const text = isStream
    ? (body
        .match(/^data: (.+)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '')
    : body;
  return { status: response.statusCode!, message: parse(text) };
}

/** Sends a request and leaves the answer to the caller. */
export function openPost(
  url: string,
  method: string,
  params: Record<string, unknown>,
  { user, session, id = 1, signal, agent = sharedAgent }: Asking = {},
): Promise<IncomingMessage> {
  const _meta = {
    ...(session === undefined && {
      'io.modelcontextprotocol/protocolVersion': STATELESS,
      'io.modelcontextprotocol/clientCapabilities': {},
    }),
    ...(params['_meta'] as object | undefined),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } });
  // The header repeats what the request names.
  const name = params['name'] ?? params['taskId'];
  const headers = {
    ...commonHeaders(user, session),
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(session === undefined && { 'Mcp-Method': method }),
    ...(session === undefined && typeof name === 'string' && { 'Mcp-Name': name }),
  };
  return send(url, { method: 'POST', headers, signal, agent }, body);
}

/** Opens the stream for changes of a session, or resumes a stream after an event. */
export function openGet(url: string, asking: Asking, lastEventId?: string): Promise<IncomingMessage> {
  const { user, session, signal, agent = sharedAgent } = asking;
  const headers = {
    ...commonHeaders(user, session),
    Accept: 'text/event-stream',
    ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
  };
  return send(url, { method: 'GET', headers, signal, agent });
}

/** Opens a session of 2025-11-25. Returns its id. */
export async function openSession(url: string, user?: string, capabilities: object = {}): Promise<string> {
  const params = {
    protocolVersion: STATEFUL,
    capabilities,
    clientInfo: { name: 'fleet-load', version: '1.0.0' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const { 'Mcp-Protocol-Version': _, ...common } = commonHeaders(user, undefined);
  const headers = { ...common, 'Content-Type': 'application/json' };
  const response = await send(url, { method: 'POST', headers, agent: sharedAgent }, body);
  const text = await readAll(response);
  const session = response.headers['mcp-session-id'];
  if (typeof session !== 'string') throw new Error(`No session: ${response.statusCode} ${text}`);
  const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const heard = await send(
    url,
    { method: 'POST', headers: { ...headers, ...commonHeaders(user, session) }, agent: sharedAgent },
    ready,
  );
  await readAll(heard);
  return session;
}

function commonHeaders(user: string | undefined, session: string | undefined): Record<string, string> {
  return {
    Accept: 'application/json, text/event-stream',
    ...(session === undefined
      ? { 'Mcp-Protocol-Version': STATELESS }
      : { 'Mcp-Protocol-Version': STATEFUL, 'Mcp-Session-Id': session }),
    ...(user !== undefined && { Authorization: `Bearer ${user}` }),
  };
}

interface Sending {
  method: string;
  headers: Record<string, string | number>;
  signal?: AbortSignal | undefined;
  agent: Agent;
}

function send(url: string, { signal, ...sending }: Sending, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { ...sending, ...(signal && { signal }) }, resolve);
    asked.once('error', reject);
    asked.end(body);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function parse(text: string): RpcMessage | undefined {
  try {
    return JSON.parse(text) as RpcMessage;
  } catch {
    return undefined;
  }
}
