import type { Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { HttpServed } from '../endpoint/open-endpoint.js';
import { leaveReadiness } from './mcp-ready.js';

/** How many milliseconds connections may take to send the rest of a request or to receive the rest of an answer. */
const PATIENCE_MS = 1_000;

/** The connections of an HTTP server, to end them without losing a request. Make it before the server listens. */
export class HttpConnections {
  readonly #open = new Set<Socket>();
  #closed: Promise<void> | undefined;

  constructor(private readonly http: Server | HttpsServer) {
    const keep = (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    };
    http.on('connection', keep).on('secureConnection', keep);
  }

  /**
   * From now on each answer ends its connection (`Connection: close`). So clients and balancers connect again, and reach
   * another process. A connection that is just closed would instead lose the request that is on its way on it.
   */
  leave(): void {
    this.http.prependListener('request', (_req, res: ServerResponse) => {
      res.shouldKeepAlive = false;
    });
    for (const socket of this.#open) {
      // Node.js keeps the answer that a connection is busy with here.
      const { _httpMessage: res } = socket as { _httpMessage?: ServerResponse | null };
      if (!res) continue;
      if (res.headersSent) res.once('finish', () => socket.end());
      else res.shouldKeepAlive = false;
    }
  }

  /** Accepts no new connections. Resolves when all connections are closed; idle ones are closed at once. */
  refuse(): Promise<void> {
    return (this.#closed ??= new Promise((resolve) => {
      this.http.close(() => resolve());
      this.#closeIdle();
    }));
  }

  /** Closes everything. @param patienceMs how long requests may take that are still being answered */
  async close(patienceMs = PATIENCE_MS): Promise<void> {
    const timer = setTimeout(() => this.http.closeAllConnections(), patienceMs).unref();
    const closed = this.refuse();
    this.#closeIdle();
    await closed;
    clearTimeout(timer);
  }

  #closeIdle(): void {
    this.http.closeIdleConnections();
    // To Node, a connection without any request yet is not idle. Clients open such connections in advance.
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy();
  }
}

export interface StopSettings {
  readonly drainDelayMs: number;
  readonly graceMs: number;
  /** True when the HTTP server also has requests of others. They may take what is left of `graceMs`. */
  readonly isShared?: boolean;
}

/** The part of a server that is served over HTTP, and closed when the service stops. */
export interface HttpServedAlone extends HttpServed {
  close?(): Promise<void>;
}

/**
 * Stops serving without losing a request:
 * 1. `/readyz` says `leaving`, and each answer ends its connection. Everything is served for `drainDelayMs`, so that
 *    balancers send new requests elsewhere.
 * 2. After a delay, new connections are refused: a balancer sends their requests to another process, which it may do
 *    because none of them was sent. Without a delay there is no balancer that knows, and late requests get 503.
 * 3. Running calls finish, then the connections and the server are closed.
 */
export async function stopHttp(
  servers: readonly HttpServedAlone[],
  connections: HttpConnections,
  { drainDelayMs, graceMs, isShared }: StopSettings,
): Promise<void> {
  for (const { protocol } of servers) leaveReadiness(protocol);
  connections.leave();
  if (drainDelayMs > 0) {
    await new Promise<void>((resolve) => servers[0]!.protocol.clock.after(drainDelayMs, resolve));
    void connections.refuse();
  }
  const began = performance.now();
  try {
    await Promise.all(servers.map(({ protocol }) => protocol.drain(graceMs)));
  } finally {
    const left = isShared ? graceMs - (performance.now() - began) : 0;
    await connections.close(Math.max(PATIENCE_MS, left));
    await Promise.all(servers.map(async (server) => server.close?.()));
  }
}

/** Closes on SIGTERM and SIGINT, and exits. @returns a function that leaves the signals alone again */
export function closeOnSignals(close: (signal: NodeJS.Signals) => Promise<void>): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    close(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', onSignal);
  process.once('SIGINT', onSignal);
  return () => process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
}
