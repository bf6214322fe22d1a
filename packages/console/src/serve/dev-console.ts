import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Hub } from '../hub/hub.js';
import { AppFrames } from './app-frames.js';
import { ConsoleHandler } from './console-handler.js';
import { readForwardedHost } from './forwarded-host.js';
import { LoopbackServer } from './loopback-server.js';
import type { Pages } from './pages.js';
import { refuse } from './respond.js';
import { SpanReceiver } from './span-receiver.js';
import { TokenDoor } from './token-door.js';

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
  /**
   * How a browser reaches the console through a forwarded port: the authority in its address bar, such as
   * `name-9000.app.github.dev` or `localhost`. With `0.0.0.0`, the console listens on all addresses of a container.
   */
  readonly host?: string;
}

/**
 * The console of `toolwright dev`: a server on loopback, for the person who has the token of the run.
 *
 * @throws {Error} when the process runs in production: this console allows everything
 */
export class DevConsole {
  readonly #door: TokenDoor;
  readonly #server: LoopbackServer;
  readonly #frames = new AppFrames(() => this.#server.origin);
  readonly #handler: ConsoleHandler;
  readonly #spans: SpanReceiver;

  constructor(
    hub: Hub,
    private readonly options: DevConsoleOptions = {},
  ) {
    if (process.env['NODE_ENV'] === 'production')
      throw new Error('NODE_ENV is production, and the console of dev is for development only.');
    const { pages, token, host } = options;
    const forwarded = host === undefined ? undefined : readForwardedHost(host);
    this.#server = new LoopbackServer(
      (req, res) => void this.#take(req, res).catch(() => refuse(res, 500, 'The console has failed.')),
      (req, socket, head) => this.#upgrade(req, socket, head),
      forwarded?.address,
    );
    this.#door = new TokenDoor(this.#server, { command: 'toolwright dev', advice: ADVICE }, token, forwarded);
    this.#spans = new SpanReceiver(hub);
    // Pages of apps have a port of their own, and nobody says how a browser would reach it.
    const frames = !forwarded && { frames: this.#frames };
    this.#handler = new ConsoleHandler({ hub, ...frames, ...(pages && { pages }) });
  }

  /**
   * Begins to listen. A port that is taken is replaced by any free one.
   *
   * @returns the address with the token
   */
  async listen(port = 0): Promise<string> {
    await Promise.all([this.#server.listen(port), this.#frames.listen()]);
    return this.#door.address;
  }

  /** An address that opens the console once, within a minute. Other users may read it where a browser is started. */
  get addressForOnce(): string {
    return this.#door.addressForOnce;
  }

  get token(): string {
    return this.#door.secrets.token;
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
    const passed = this.#door.pass(req, res, this.#spans.path);
    if (passed?.path === this.#spans.path && passed.base === '') return this.#spans.take(req, res);
    if (passed) await this.#handler.handle({ ...passed, req, res });
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
