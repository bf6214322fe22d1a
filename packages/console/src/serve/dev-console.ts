import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Hub } from '../hub/hub.js';
import { AppFrames } from './app-frames.js';
import { ConsoleHandler } from './console-handler.js';
import { LoopbackServer } from './loopback-server.js';
import type { Pages } from './pages.js';
import { type ConsoleExchange, findRefusal, guard, refuse, refusePage } from './respond.js';
import { ConsoleSecrets, SpanReceiver } from './span-receiver.js';

export interface DevConsoleOptions {
  /**
   * Takes a connection that asks to speak another protocol. It comes from no browser, but from any program of this
   * machine: whoever takes it checks who it is.
   */
  readonly upgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Where the files of the page are. Tests have their own. */
  readonly pages?: Pages;
  /** What opens the console. With the token of an earlier run, its pages go on. Default: a new one. */
  readonly token?: string;
}

/**
 * The console of `toolwright dev`: a server on loopback, for the person who has the token of the run.
 *
 * @throws {Error} when the process runs in production: this console allows everything
 */
export class DevConsole {
  readonly #secrets: ConsoleSecrets;
  readonly #server = new LoopbackServer(
    (req, res) => void this.#take(req, res).catch(() => refuse(res, 500, 'The console has failed.')),
    (req, socket, head) => this.#upgrade(req, socket, head),
  );
  readonly #frames = new AppFrames(() => this.#server.origin);
  readonly #handler: ConsoleHandler;
  readonly #spans: SpanReceiver;

  constructor(
    hub: Hub,
    private readonly options: DevConsoleOptions = {},
  ) {
    if (process.env['NODE_ENV'] === 'production')
      throw new Error('NODE_ENV is production, and the console of dev is for development only.');
    const { pages, token } = options;
    this.#secrets = new ConsoleSecrets(token);
    this.#spans = new SpanReceiver(hub);
    this.#handler = new ConsoleHandler({ hub, frames: this.#frames, ...(pages && { pages }) });
  }

  /**
   * Begins to listen. A port that is taken is replaced by any free one.
   *
   * @returns the address with the token
   */
  async listen(port = 0): Promise<string> {
    await Promise.all([this.#server.listen(port), this.#frames.listen()]);
    return `${this.#server.origin}/?token=${this.#secrets.token}`;
  }

  /** An address that opens the console once, within a minute. Other users may read it where a browser is started. */
  get addressForOnce(): string {
    return `${this.#server.origin}/?token=${this.#secrets.codeForOnce()}`;
  }

  get token(): string {
    return this.#secrets.token;
  }

  get port(): number {
    return this.#server.port;
  }

  /** The origin of pages of MCP Apps. */
  get appOrigin(): string {
    return this.#frames.origin;
  }

  /** The environment in which an OpenTelemetry exporter of the app sends its spans here. */
  get spanEnvironment(): Readonly<Record<string, string>> {
    return this.#spans.environment(this.#server.origin);
  }

  async close(): Promise<void> {
    await Promise.all([this.#server.close(), this.#frames.close()]);
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    guard(res);
    const { base } = this.#secrets;
    const { host } = this.#server;
    const { pathname, searchParams } = new URL(req.url ?? '/', this.#server.origin);
    const token = searchParams.get('token');
    if (pathname === '/' && token !== null && req.headers.host === host)
      return this.#exchange(token, { req, res });
    const refusal = findRefusal(req, host);
    if (refusal) return refusePage({ req, res }, { ...refusal, advice: ADVICE });
    if (pathname === this.#spans.path) return this.#spans.take(req, res);
    const isBelow = pathname === base || pathname.startsWith(`${base}/`);
    if (!isBelow || !this.#secrets.isKnown(req.headers.cookie, this.port))
      return refusePage(
        { req, res },
        { status: 401, message: 'Open the address that "toolwright dev" printed.', advice: ADVICE },
      );
    await this.#handler.handle({ path: pathname.slice(base.length) || '/', base, req, res });
  }

  /** The token leaves the address bar at once. Whoever has it may come from anywhere, such as a link in a terminal. */
  #exchange(token: string, exchange: ConsoleExchange): void {
    if (!this.#secrets.opens(token))
      return refusePage(exchange, {
        status: 401,
        message: 'This address is of another project, or it was valid only once.',
        advice: ADVICE,
      });
    const { res } = exchange;
    const { base } = this.#secrets;
    res.writeHead(303, { 'set-cookie': this.#secrets.cookie(this.port), location: `${base}/` }).end();
  }

  /** Browsers always say which page asks for another protocol. */
  #upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { host, origin, 'sec-fetch-site': site } = req.headers;
    const { upgrade } = this.options;
    socket.on('error', () => undefined);
    if (!upgrade || host !== this.#server.host || origin !== undefined || site !== undefined)
      return void socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    upgrade(req, socket, head);
  }
}

/** What a person does who has come to a page that is not theirs. */
const ADVICE = [
  'Look at the terminal in which "toolwright dev" runs. Open the address behind "console:".',
  'If no "dev" runs, start it in the folder of the project: "toolwright dev --open" opens this page, too.',
  'The address of a project stays the same as long as its folder ".toolwright" does.',
];
