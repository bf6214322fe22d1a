import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConsoleFault, methodAccess, type ConsoleMethod } from '../api/console-api.js';
import type { Hub } from '../hub/hub.js';
import { Pages } from './pages.js';
import { readJson } from './read-json.js';

export interface ConsoleHandlerOptions {
  readonly hub: Hub;
  /** Where the console is, without a slash at its end: `/admin/console`, or nothing. */
  readonly base: string;
}

/** Answers the requests of the page: its files, the methods of the console, and the stream of events. */
export class ConsoleHandler {
  readonly #pages = new Pages();

  constructor(private readonly options: ConsoleHandlerOptions) {}

  /**
   * Answers a request that was let in.
   *
   * @param path below the console, with a slash in front
   */
  async handle(path: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (path === '/api/events') return this.#events(req, res);
    if (path.startsWith('/api/')) return this.#answer(path.slice('/api/'.length), req, res);
    if (req.method !== 'GET' && req.method !== 'HEAD') return end(res, 405, 'Use GET.');
    return this.#page(path === '/' ? 'index.html' : path.slice(1), res);
  }

  async #answer(method: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (req.method !== 'POST') return end(res, 405, 'Use POST.');
    if (!Object.hasOwn(methodAccess, method)) return end(res, 404, `There is no method "${method}".`);
    try {
      const params = await readJson(req);
      const result = await this.options.hub.ask(method as ConsoleMethod, params as never);
      res.setHeader('content-type', 'application/json').end(JSON.stringify(result));
    } catch (error) {
      const status = error instanceof ConsoleFault ? 400 : 500;
      end(res, status, error instanceof Error ? error.message : String(error));
    }
  }

  #events(req: IncomingMessage, res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    res.write(':\n\n');
    const stop = this.options.hub.subscribe((event) => res.write(`data: ${JSON.stringify(event)}\n\n`));
    res.on('close', stop);
  }

  #page(path: string, res: ServerResponse): void {
    const page = this.#pages.find(path);
    if (!page) return end(res, 404, 'There is no such file.');
    res.setHeader('content-type', page.type);
    if (page.isLasting) res.setHeader('cache-control', 'public, max-age=31536000, immutable');
    if (path !== 'index.html') return void res.end(page.body);
    const nonce = randomBytes(16).toString('base64');
    res.setHeader('cache-control', 'no-store');
    res.setHeader('content-security-policy', policy(nonce));
    res.end(page.body.toString().replaceAll('__NONCE__', nonce).replaceAll('__BASE__', this.options.base));
  }
}

/** The editor and the charts write styles at run time, each with the nonce. Nothing is evaluated. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function end(res: ServerResponse, status: number, message: string): void {
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  res.end(JSON.stringify({ message }));
}
