import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A server of the official SDK that has sessions: 2025-11-25 and older. It keeps a list for each session. */
export function officialServer(): McpServer {
  const server = new McpServer({ name: 'official', version: '1.0.0' }, { capabilities: { logging: {} } });
  const kept: string[] = [];
  server.registerTool(
    'keep',
    { description: 'Keeps a word.', inputSchema: { word: z.string() } },
    ({ word }) => ({ content: [{ type: 'text', text: String(kept.push(word)) }] }),
  );
  server.registerTool('kept', { description: 'All words.', annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: 'text', text: kept.join(' ') || 'nothing' }],
  }));
  server.registerTool(
    'greet',
    { description: 'Asks for a name.', inputSchema: { say: z.string().optional() } },
    async ({ say = 'Hello' }) => {
      const requestedSchema = {
        type: 'object' as const,
        properties: { name: { type: 'string' as const } },
        required: ['name'],
      };
      const first = await server.server.elicitInput({ message: 'What is your name?', requestedSchema });
      const second = await server.server.elicitInput({ message: 'And your city?', requestedSchema });
      const text = `${say}, ${String(first.content?.['name'])} of ${String(second.content?.['name'])}!`;
      return { content: [{ type: 'text', text }] };
    },
  );
  server.registerTool('think', { description: 'Asks a model.' }, async () => {
    const { content } = await server.server.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }],
      maxTokens: 100,
    });
    return { content: [content as { type: 'text'; text: string }] };
  });
  server.registerTool('where', { description: 'Asks for folders.' }, async () => {
    const { roots } = await server.server.listRoots();
    return { content: [{ type: 'text', text: roots.map(({ uri }) => uri).join(' ') }] };
  });
  server.registerTool('work', { description: 'Reports.' }, async (extra) => {
    const { sendNotification, _meta } = extra;
    if (_meta?.progressToken !== undefined)
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken: _meta.progressToken, progress: 1, total: 2, message: 'half' },
      });
    await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'working' } });
    return { content: [{ type: 'text', text: 'done' }] };
  });
  return server;
}

export interface LegacyUpstream {
  readonly url: string;
  /** The requests that came, with their headers. */
  readonly requests: { method: string | undefined; headers: IncomingMessage['headers'] }[];
  /** How many sessions are open. */
  readonly sessions: Map<string, StreamableHTTPServerTransport>;
  /** Forgets all sessions, as a server does that has restarted. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

/** Serves it over loopback, with a session for each client. */
export async function serveLegacy(make: () => McpServer = officialServer): Promise<LegacyUpstream> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: LegacyUpstream['requests'] = [];
  const http: Server = createServer((req, res) => void answer(req, res));
  const answer = async (req: IncomingMessage, res: ServerResponse) => {
    const id = req.headers['mcp-session-id'] as string | undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body =
      chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as { method?: string }) : undefined;
    requests.push({ method: body?.method, headers: req.headers });
    let transport = id === undefined ? undefined : sessions.get(id);
    if (id !== undefined && !transport) return void res.writeHead(404).end('Session not found');
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (made) => void sessions.set(made, transport!),
        onsessionclosed: (ended) => void sessions.delete(ended),
      });
      await make().connect(transport as never);
    }
    await transport.handleRequest(req, res, body);
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const forget = async () => {
    for (const transport of sessions.values()) await transport.close();
    sessions.clear();
  };
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    requests,
    sessions,
    forget,
    async close() {
      await forget();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
