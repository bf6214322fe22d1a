import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConsoleFault } from '../api/console-api.js';
import type { AppFrame, AppFramePolicy } from '../api/app-frame-api.js';
import { appFrameConnections, appFramePolicy } from './app-frame-policy.js';
import { LoopbackServer } from './loopback-server.js';

/** The frames that a person may have open; the oldest is forgotten. */
const MAX_FRAMES = 32;

interface Shown {
  readonly html: string;
  readonly policy: string;
  readonly connections: string;
}

/**
 * Shows pages of MCP Apps, which strangers may have written, on an origin of their own: a second port. Each has an
 * address that nobody can guess, may be shown by the console only, and gets no cookie.
 */
export class AppFrames {
  readonly #shown = new Map<string, Shown>();
  readonly #server = new LoopbackServer((req, res) => this.#take(req, res));

  /** @param console the origin of the console */
  constructor(private readonly console: () => string) {}

  get origin(): string {
    return this.#server.origin;
  }

  listen(): Promise<void> {
    return this.#server.listen(0);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** @throws {ConsoleFault} when the page is no HTML, or declares sources that are no origins */
  show({ html, csp }: Readonly<Record<string, unknown>>): AppFrame {
    if (typeof html !== 'string') throw new ConsoleFault('The page of an app is sent as "html".');
    const declared = (csp ?? {}) as AppFramePolicy;
    const policy = appFramePolicy(declared, this.console());
    const connections = appFrameConnections(declared);
    const id = randomBytes(18).toString('base64url');
    this.#shown.set(id, { html, policy, connections });
    if (this.#shown.size > MAX_FRAMES) this.#shown.delete(this.#shown.keys().next().value!);
    return { url: `${this.origin}/${id}` };
  }

  #take(req: IncomingMessage, res: ServerResponse): void {
    const { host, 'sec-fetch-dest': destination } = req.headers;
    const shown = this.#shown.get((req.url ?? '').slice(1));
    const isFrame = destination === undefined || destination === 'iframe';
    if (`http://${host}` !== this.origin || req.method !== 'GET' || !isFrame || !shown) {
      res.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.');
      return;
    }
    res
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': shown.policy,
        'connection-allowlist': shown.connections,
        'x-dns-prefetch-control': 'off',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .end(shown.html);
  }
}
