import { createMcpServer } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@toolwright/core/ports';
import { openApiTools } from '../../src/index';

/** A request as it arrived. */
export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** An API on loopback that takes every request, keeps it as it came, and gives the next answer. */
export class RecordingApi {
  readonly requests: Recorded[] = [];
  answers: Answer[] = [];
  private server!: Server;
  baseUrl = '';

  async open(): Promise<void> {
    this.server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url, headers } = request;
        this.requests.push({ method: method!, url: url!, headers, body: Buffer.concat(parts) });
        const { status = 200, headers: sent, body = '{}' } = this.answers.shift() ?? {};
        response.writeHead(status, sent ?? { 'content-type': 'application/json' }).end(body);
      });
    });
    // A slow machine would use a connection at the moment at which its time is over.
    this.server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.baseUrl = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Makes a tool from one operation, and calls it. */
  async call(
    [method, path]: readonly [method: string, path: string],
    operation: object,
    args: Record<string, unknown> = {},
    ...answers: Answer[]
  ): Promise<{ request: Recorded; text: string; isError: boolean; structured: unknown }> {
    this.answers = answers;
    const paths = { [path]: { [method]: { operationId: 'send', responses: {}, ...operation } } };
    const spec = { openapi: '3.1.0', info: { title: 'Any', version: '1' }, paths };
    const server = await createMcpServer({
      name: 'any',
      version: '1.0.0',
      services: [],
      audit: false,
      logger: silentLogger,
    });
    try {
      const { baseUrl } = this;
      const [name] = await openApiTools(server, { spec, baseUrl, include: ['send'], retries: 0 });
      const result = await (await connect(server)).call(name!, args);
      const [first] = result.content as { text?: string }[];
      return {
        request: this.requests.at(-1)!,
        text: first?.text ?? '',
        isError: result.isError === true,
        structured: result.structuredContent,
      };
    } finally {
      await server.close();
    }
  }
}

/** The parts of a multipart body: their headers in lower case, and their content. */
export function partsOf({ headers, body }: Recorded): { head: string; content: string }[] {
  const [, boundary] = /boundary=(.+)$/.exec(headers['content-type']!)!;
  return body
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = '', ...content] = part.slice(2, -2).split('\r\n\r\n');
      return { head: head.toLowerCase(), content: content.join('\r\n\r\n') };
    });
}
