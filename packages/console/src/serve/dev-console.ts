import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Hub } from '../hub/hub.js';
import { ConsoleHandler } from './console-handler.js';

const COOKIE = 'toolwright-console';

/** The console of `toolwright dev`: a server on loopback, for the person who has the token of the run. */
export class DevConsole {
  readonly #token = randomBytes(24).toString('base64url');
  readonly #cookie = randomBytes(24).toString('base64url');
  readonly #server: Server;
  readonly #handler: ConsoleHandler;
  #origin = '';

  constructor(hub: Hub) {
    this.#handler = new ConsoleHandler({ hub, base: '' });
    this.#server = createServer((req, res) => void this.#take(req, res));
  }

  /**
   * Begins to listen. A port that is taken is replaced by any free one.
   *
   * @returns the address with the token of the run
   */
  async listen(port = 0): Promise<string> {
    await this.#open(port).catch((error: NodeJS.ErrnoException) => {
      if (port === 0 || (error.code !== 'EADDRINUSE' && error.code !== 'EACCES')) throw error;
      return this.#open(0);
    });
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return `${this.#origin}/?token=${this.#token}`;
  }

  #open(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('referrer-policy', 'no-referrer');
    const { host, origin } = req.headers;
    const url = new URL(req.url ?? '/', this.#origin);
    if (`http://${host}` !== this.#origin) return refuse(res, 421, 'Wrong host.');
    if (origin !== undefined && origin !== this.#origin) return refuse(res, 403, 'Wrong origin.');
    const token = url.searchParams.get('token');
    if (token !== null && url.pathname === '/') return this.#exchange(token, res);
    if (!this.#isKnown(req)) return refuse(res, 401, 'Open the address that `toolwright dev` printed.');
    await this.#handler.handle(url.pathname, req, res);
  }

  /** The token leaves the address bar at once. */
  #exchange(token: string, res: ServerResponse): void {
    if (!isSame(token, this.#token)) return refuse(res, 401, 'This token is of another run.');
    const cookie = `${COOKIE}=${this.#cookie}; HttpOnly; SameSite=Strict; Path=/`;
    res.writeHead(303, { 'set-cookie': cookie, location: '/', 'cache-control': 'no-store' }).end();
  }

  #isKnown({ headers }: IncomingMessage): boolean {
    const cookies = (headers.cookie ?? '').split(/;\s*/);
    return cookies.some((each) => isSame(each, `${COOKIE}=${this.#cookie}`));
  }
}

function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}

function refuse(res: ServerResponse, status: number, message: string): void {
  res
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(message);
}
