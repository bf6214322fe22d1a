import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Message = Record<string, unknown>;

/** One request of JSON-RPC, and the ways in which a server may answer it. */
export interface Trick {
  readonly message: { id: string | number; method: string; params: Message };
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Answers with a result, as JSON. */
  result(result: Message): void;
  /** Begins a stream of events. Returns what sends one message. */
  stream(): (message: Message) => void;
}

export interface MaliciousUpstream {
  readonly url: string;
  tools: Message[];
  /** How the tools, by name, are answered. */
  readonly calls: Record<string, (trick: Trick) => void>;
  /** How other methods are answered, in place of the honest answer. */
  readonly methods: Record<string, (trick: Trick) => void>;
  readonly seen: { url: string | undefined; headers: IncomingMessage['headers'] }[];
  /** Takes replies to its questions, and never answers. */
  unansweredReplies?: (response: ServerResponse) => void;
  /** Takes streams of changes, in place of leaving them open. */
  onListen?: (response: ServerResponse) => void;
  /** Streams of changes that are open (GET). */
  readonly listeners: Set<ServerResponse>;
  close(): Promise<void>;
}

/** A server with sessions (2025-11-25) that does what its test says, and nothing that a library would forbid. */
export async function serveMalicious(): Promise<MaliciousUpstream> {
  const calls: MaliciousUpstream['calls'] = {};
  const methods: MaliciousUpstream['methods'] = {};
  const seen: MaliciousUpstream['seen'] = [];
  const listeners = new Set<ServerResponse>();
  let session = 0;
  const http = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    seen.push({ url: request.url, headers: request.headers });
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (upstream.onListen) return upstream.onListen(response);
      listeners.add(response);
      return void response.on('close', () => listeners.delete(response));
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const message = JSON.parse(Buffer.concat(chunks).toString()) as Trick['message'];
    if (message.method === undefined && upstream.unansweredReplies)
      return upstream.unansweredReplies(response);
    if (message.id === undefined || message.method === undefined) return void response.writeHead(202).end();
    const json = (body: Message, headers = {}) =>
      response
        .writeHead(200, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }));
    const trick: Trick = {
      message,
      request,
      response,
      result: (result) => void json({ result }),
      stream() {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        return (each) => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...each })}\n\n`);
      },
    };
    const own = methods[message.method];
    if (own) return own(trick);
    switch (message.method) {
      case 'initialize': {
        const serverInfo = { name: 'evil', version: '1' };
        const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} };
        const result = { protocolVersion: '2025-11-25', serverInfo, capabilities };
        return void json({ result }, { 'mcp-session-id': `session-${++session}` });
      }
      case 'tools/list':
        return trick.result({ tools: upstream.tools });
      case 'resources/list':
        return trick.result({ resources: [] });
      case 'resources/templates/list':
        return trick.result({ resourceTemplates: [] });
      case 'prompts/list':
        return trick.result({ prompts: [] });
      case 'logging/setLevel':
        return trick.result({});
      case 'tools/call':
        return calls[message.params['name'] as string]!(trick);
      default:
        return void json({ error: { code: -32601, message: 'Method not found' } });
    }
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const upstream: MaliciousUpstream = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    tools: [],
    calls,
    methods,
    seen,
    listeners,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return upstream;
}

/** A tool without surprises. */
export const tool = (name: string, more: Message = {}): Message => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...more,
});

export const textResult = (text: string): Message => ({ content: [{ type: 'text', text }] });
