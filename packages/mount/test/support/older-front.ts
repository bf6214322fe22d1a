import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OlderFront {
  readonly url: string;
  close(): Promise<void>;
}

/** Stands before a server of both eras, and lets only the older one through, as a server of its time would. */
export async function olderFrontOf(url: string): Promise<OlderFront> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const isNewer = incoming.headers['mcp-protocol-version'] === '2026-07-28';
    if (isNewer || body.includes('"server/discover"'))
      return void outgoing.writeHead(400).end('Bad Request: Server not initialized');
    const { method, headers } = incoming;
    const passed = forward(url, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers).flushHeaders();
      response.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    passed.end(body);
  };
  const http = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
