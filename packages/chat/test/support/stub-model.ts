import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';

/** One answer: a body of JSON, a raw one, or `hang` for an address that never answers. */
export type StubReply =
  | 'hang'
  | { readonly raw: string; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly json: unknown; readonly status?: number };

export interface StubRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly messages: readonly Readonly<Record<string, unknown>>[];
    readonly tools?: readonly {
      readonly function: { readonly name: string; readonly parameters: Readonly<Record<string, unknown>> };
    }[];
  };
}

const opened = closedAfterEach();

/** An address with `/chat/completions` on loopback, which answers what a test has written down. */
export class StubModel {
  readonly requests: StubRequest[] = [];
  readonly #replies: StubReply[];
  readonly #server: Server;

  private constructor(replies: readonly StubReply[]) {
    this.#replies = [...replies];
    this.#server = createServer((req, res) => {
      let text = '';
      req.on('data', (chunk: Buffer) => (text += chunk.toString()));
      req.on('end', () => {
        const body = JSON.parse(text) as StubRequest['body'];
        this.requests.push({ path: req.url!, headers: req.headers, body });
        // The last answer is given again.
        const reply = this.#replies.length > 1 ? this.#replies.shift()! : this.#replies[0]!;
        if (reply === 'hang') return;
        const isRaw = 'raw' in reply;
        const headers = isRaw ? reply.headers : undefined;
        res.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...headers });
        res.end(isRaw ? reply.raw : JSON.stringify(reply.json));
      });
    });
  }

  /** It is closed after the test. */
  static async start(...replies: readonly StubReply[]): Promise<StubModel> {
    const stub = new StubModel(replies);
    await new Promise<void>((resolve) => stub.#server.listen(0, '127.0.0.1', resolve));
    opened.push(stub);
    return stub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** The request with this number, from 0; the last one for -1. */
  request(number: number): StubRequest {
    return this.requests.at(number)!;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** An answer as OpenAI writes it. */
export function says(message: object, more: object = {}): StubReply {
  const choice = {
    index: 0,
    message: { role: 'assistant', content: null, ...message },
    finish_reason: 'stop',
  };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  return { json: { id: 'chatcmpl-1', object: 'chat.completion', choices: [choice], usage, ...more } };
}

/** An answer that calls tools. */
export function calls(
  ...called: readonly (readonly [name: string, args: unknown, id?: string])[]
): StubReply {
  return says({
    tool_calls: called.map(([name, args, id = `call_${name}`]) => ({
      id,
      type: 'function',
      function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
    })),
  });
}
