import { request, type IncomingHttpHeaders } from 'node:http';

export type Json = Record<string, unknown>;

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, when it is JSON. */
  json: any;
  /** The messages of an event stream, parsed. */
  events: any[];
}

export interface WireRequest {
  method?: string;
  path?: string;
  /** What the first line of the request has in place of the path. */
  target?: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: unknown;
  /** False: on a connection of its own. */
  agent?: false;
}

/** Sends one request, byte for byte as told, and reads the whole answer. */
export function send(
  url: string,
  { method = 'POST', path, target, headers = {}, body, agent }: WireRequest,
): Promise<WireAnswer> {
  const { promise, resolve, reject } = deferred<WireAnswer>();
  const sent = Object.fromEntries(
    Object.entries({ 'content-type': 'application/json', ...headers }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as Record<string, string>;
  const bytes =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const req = request(
    new URL(path ?? url, url),
    { method, headers: sent, agent, ...(target && { path: target }) },
    (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve(read(res.statusCode!, res.headers, Buffer.concat(chunks).toString())));
      res.on('error', reject);
    },
  );
  req.on('error', reject);
  req.end(bytes);
  return promise;
}

function read(status: number, headers: IncomingHttpHeaders, text: string): WireAnswer {
  const type = headers['content-type'] ?? '';
  return {
    status,
    headers,
    text,
    json: type.startsWith('application/json') ? JSON.parse(text) : undefined,
    events: type.startsWith('text/event-stream') ? readEvents(text).map(({ message }) => message) : [],
  };
}

export interface WireEvent {
  id?: string;
  event?: string;
  data: string;
  message: any;
}

export function readEvents(text: string): WireEvent[] {
  return text
    .split('\n\n')
    .map((block) => Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2))))
    .filter((fields) => fields['data'] !== undefined)
    .map(({ id, event, data }) => ({
      id,
      event,
      data,
      message: data.startsWith('{') ? JSON.parse(data) : undefined,
    }));
}

export function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((res, rej) => ((resolve = res), (reject = rej)));
  return { promise, resolve, reject };
}

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Members of a request of 2026-07-28 in order, to be bent by tests. */
export function envelope(rest: Json = {}): Json {
  return { [VERSION]: '2026-07-28', [CAPABILITIES]: {}, ...rest };
}

export interface ModernParts {
  id?: unknown;
  params?: Json;
  meta?: Json;
  capabilities?: Json;
  headers?: Record<string, string | undefined>;
}

/** A well-formed request of 2026-07-28, with the headers that mirror it. */
export function modern(
  method: string,
  { id = 1, params = {}, meta = {}, capabilities, headers }: ModernParts = {},
): WireRequest {
  const _meta = envelope({ ...(capabilities && { [CAPABILITIES]: capabilities }), ...meta });
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: { jsonrpc: '2.0', id, method, params: { ...params, _meta } },
  };
}

export function call(name: string, args: Json = {}, parts: ModernParts = {}): WireRequest {
  return modern('tools/call', { ...parts, params: { name, arguments: args, ...parts.params } });
}
