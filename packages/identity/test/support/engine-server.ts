import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an engine was asked over HTTP. */
export interface EngineQuestion {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: any;
}

type Answer = (question: EngineQuestion, res: ServerResponse, req: IncomingMessage) => unknown;

/** A server in the place of an engine. It answers with JSON what `answer` returns, unless `answer` has answered by itself. */
export class EngineServer {
  readonly questions: EngineQuestion[] = [];
  readonly #server;

  private constructor(public answer: Answer) {
    this.#server = createServer((req, res) => void this.#serve(req, res));
  }

  static async start(answer: Answer): Promise<EngineServer> {
    const engine = new EngineServer(answer);
    engine.#server.listen(0, '127.0.0.1');
    await once(engine.#server, 'listening');
    return engine;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const question = { path: req.url!, authorization: req.headers.authorization, body };
    this.questions.push(question);
    const answer = await this.answer(question, res, req);
    if (res.headersSent || answer === undefined) return;
    res.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  }
}
