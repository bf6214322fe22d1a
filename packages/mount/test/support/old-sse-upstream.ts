import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { officialServer } from './legacy-upstream.js';

export interface OldSseUpstream {
  readonly url: string;
  /** How many streams are open: a client has one. */
  readonly open: number;
  /** Ends all streams, as a restart does. */
  drop(): void;
  close(): Promise<void>;
}

/** Serves the official server over the transport of 2024-11-05: a stream, and an endpoint to post to. */
export async function serveOldSse(): Promise<OldSseUpstream> {
  const transports = new Map<string, SSEServerTransport>();
  const http = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    if (request.method === 'GET' && pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      response.on('close', () => transports.delete(transport.sessionId));
      return void officialServer().connect(transport);
    }
    const transport = transports.get(searchParams.get('sessionId') ?? '');
    if (request.method === 'POST' && pathname === '/messages' && transport)
      return void transport.handlePostMessage(request, response);
    response.writeHead(pathname === '/sse' ? 405 : 404).end();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`,
    get open() {
      return transports.size;
    },
    drop: () => http.closeAllConnections(),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
