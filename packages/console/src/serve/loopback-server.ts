import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { TWO_HOSTS, refuse, repeatsHost } from './respond.js';

/** More connections than a browser opens, and few enough that a program that opens many harms nobody else. */
const MAX_CONNECTIONS = 128;

type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** An HTTP server that only this machine can reach, and that slow clients cannot hold. */
export class LoopbackServer {
  readonly #server: Server;
  #port = 0;

  /** @param address where it listens. Another one than that of loopback is for a container, whose ports are forwarded */
  constructor(
    take: (req: IncomingMessage, res: ServerResponse) => void,
    upgrade?: Upgrade,
    private readonly address = '127.0.0.1',
  ) {
    this.#server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000 }, (req, res) => {
      if (!repeatsHost(req.rawHeaders)) return take(req, res);
      refuse(res, TWO_HOSTS.status, TWO_HOSTS.message);
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    if (upgrade)
      this.#server.on('upgrade', (req, socket, head) => {
        if (repeatsHost(req.rawHeaders)) socket.destroy();
        else upgrade(req, socket, head);
      });
  }

  get port(): number {
    return this.#port;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get origin(): string {
    return `http://${this.host}`;
  }

  /** Begins to listen. A port that is taken is replaced by any free one. */
  async listen(port: number): Promise<void> {
    await this.#open(port).catch((error: NodeJS.ErrnoException) => {
      if (port === 0 || (error.code !== 'EADDRINUSE' && error.code !== 'EACCES')) throw error;
      return this.#open(0);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #open(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(port, this.address, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }
}
