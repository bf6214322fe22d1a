import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An API on loopback that answers every request with the text that stands in `answer`, and remembers what was asked. */
export class AnsweringApi {
  answer = '{}';
  readonly seen: SeenRequest[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { url = '', headers } = request;
        this.seen.push({ url, headers, body: Buffer.concat(parts).toString() });
        response.writeHead(200, { 'content-type': 'application/json' }).end(this.answer);
      });
    });
  }

  async open(): Promise<string> {
    // A slow machine would use a connection at the moment at which its time is over.
    this.server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
