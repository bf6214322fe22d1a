import type { Clock, Logger } from '@toolwright/core/ports';
import { optionRules } from '@toolwright/core/options';
import { stopOnSignals } from '@toolwright/core/transport';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { devNull } from 'node:os';
import { reasonOf } from '@toolwright/json';
import type { HttpServed } from '../endpoint/open-endpoint.js';
import { leaveReadiness } from './mcp-health.js';

const { filledText, port, required } = optionRules;

/** The options that say where a server listens. */
export const addressOptions = {
  port: required(port),
  /** People write an IPv6 address as URLs have it. The system would look for a name with brackets. */
  host: {
    ...filledText,
    default: '127.0.0.1',
    read: (host: unknown) => (host as string).replace(/^\[(.*)\]$/, '$1'),
  },
};

/**
 * Listens, and returns the port.
 *
 * @throws {Error} when it cannot, for example because the port is taken (`code` EADDRINUSE)
 */
export async function listen(
  http: Server,
  { port, host }: { port: number; host: string },
  logger: Logger,
): Promise<number> {
  const listening = new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      resolve();
    });
  });
  try {
    await listening;
  } catch (error) {
    // Made here and not by the listener: so its stack names who asked for the port.
    throw inWords(error as NodeJS.ErrnoException, port, host);
  }
  // Node.js passes on what it cannot accept. Without a listener, that would end the process.
  http.on('error', (err) => logger.error({ err }, 'The server cannot accept a connection'));
  return (http.address() as AddressInfo).port;
}

function inWords(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const { code } = error;
  if (code !== 'EADDRINUSE') return error;
  const message = `Port ${port} of ${host} is taken: end what listens there, or choose another (0: any that is free).`;
  return Object.assign(new Error(message, { cause: error }), { code });
}

const EVERY_MS = 1_000;
const EXHAUSTED = new Set(['EMFILE', 'ENFILE']);

/**
 * Logs when this process has no free file descriptor any more, and when it has one again. Node.js itself says nothing:
 * it closes each new connection at once, so that clients see connections that break for no reason.
 *
 * @returns a function that ends the watch
 */
export function watchDescriptors({ clock, logger }: { clock: Clock; logger: Logger }): () => void {
  let isExhausted = false;
  let cancel = () => {};
  const look = () => {
    const code = errorOfOpening();
    if (code && EXHAUSTED.has(code) && !isExhausted) {
      isExhausted = true;
      logger.error(
        { code, pid: process.pid },
        'No file descriptor is free. New connections are closed at once. Raise the limit (ulimit -n), or find what is left open',
      );
    } else if (!code && isExhausted) {
      isExhausted = false;
      logger.warn({ pid: process.pid }, 'File descriptors are free again');
    }
    cancel = clock.after(EVERY_MS, look);
  };
  cancel = clock.after(EVERY_MS, look);
  return () => cancel();
}

/** Opening the null device takes 10 µs and needs nothing but a descriptor. */
function errorOfOpening(): string | undefined {
  try {
    closeSync(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** How many milliseconds connections may take to send the rest of a request or to receive the rest of an answer. */
const PATIENCE_MS = 1_000;

/** How many milliseconds before the end of the delay new connections are refused. */
const LAST_REQUESTS_MS = 250;

/** A turn of the event loop that takes longer than this had something to do, in milliseconds. */
const QUIET_TURN_MS = 0.5;

/** The connections of an HTTP server, to end them without losing a request. Make it before the server listens. */
export class HttpConnections {
  readonly #open = new Set<Socket>();
  #closed: Promise<void> | undefined;
  #accepted = 0;

  constructor(private readonly http: Server | HttpsServer) {
    const keep = (socket: Socket) => {
      this.#accepted++;
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

  /**
   * Accepts no new connections, and closes idle ones. Resolves when all connections are closed. A connection that the
   * system has accepted and Node.js has not would be lost, so it waits for a turn of the event loop that brings none.
   */
  refuse(): Promise<void> {
    return (this.#closed ??= new Promise((resolve) => {
      const began = performance.now();
      const tryNow = (since: number, accepted: number) => {
        const now = performance.now();
        const isQuiet = accepted === this.#accepted && now - since < QUIET_TURN_MS;
        if (isQuiet || now - began > LAST_REQUESTS_MS / 2) this.http.close(() => resolve());
        else setImmediate(tryNow, now, this.#accepted);
      };
      setImmediate(tryNow, began, -1);
    }));
  }

  /** Closes everything. @param patienceMs how long requests may take that are still being answered */
  async close(patienceMs = PATIENCE_MS): Promise<void> {
    const timer = setTimeout(() => this.http.closeAllConnections(), patienceMs).unref();
    const closed = this.refuse();
    setImmediate(() => this.#closeIdle());
    await closed;
    clearTimeout(timer);
  }

  #closeIdle(): void {
    this.http.closeIdleConnections();
    // To Node, a connection without any request yet is not idle. Clients open such connections in advance.
    for (const socket of this.#open) if (socket.bytesRead === 0) socket.destroy();
  }
}

interface StopSettings {
  readonly drainDelay: number;
  readonly grace: number;
  /** True when the HTTP server also has requests of others. They may take what is left of `grace`. */
  readonly isShared?: boolean;
}

/** The part of a server that is served over HTTP, and closed when the service stops. */
export interface HttpServedAlone extends HttpServed {
  close?(): Promise<void>;
}

/**
 * Stops serving without losing a request:
 * 1. `/readyz` says `leaving`, and each answer ends its connection. Everything is served for `drainDelay`, so that
 *    balancers send new requests elsewhere.
 * 2. At the end of the delay, new connections are refused: a balancer sends their requests to another process, which it
 *    may do because none of them was sent. Connections that had just been accepted are still served for a moment.
 *    Without a delay there is no balancer that knows, and late requests get 503.
 * 3. Running calls finish, then the connections and the server are closed.
 */
export async function stopHttp(
  servers: readonly HttpServedAlone[],
  connections: HttpConnections,
  { drainDelay, grace, isShared }: StopSettings,
): Promise<void> {
  for (const { protocol } of servers) leaveReadiness(protocol);
  connections.leave();
  if (drainDelay > 0) {
    const { clock } = servers[0]!.protocol;
    const refuse = () => void connections.refuse();
    clock.after(drainDelay - Math.min(LAST_REQUESTS_MS, drainDelay / 4), refuse);
    await new Promise<void>((resolve) => clock.after(drainDelay, resolve));
  }
  const began = performance.now();
  try {
    await Promise.all(servers.map(({ protocol }) => protocol.drain(grace)));
  } finally {
    const left = isShared ? grace - (performance.now() - began) : 0;
    await connections.close(Math.max(PATIENCE_MS, left));
    await Promise.all(servers.map(async (server) => server.close?.()));
  }
}

/**
 * Closes on SIGTERM, SIGINT and SIGHUP, and exits: with 0, unless somebody has set `process.exitCode`.
 *
 * @param logger is asked for when closing has failed
 * @returns takes it back
 */
export function closeOnSignals(
  close: (signal: NodeJS.Signals) => Promise<void>,
  logger: () => Logger,
): () => void {
  return stopOnSignals(async (signal) => {
    try {
      await close(signal);
      await leaveCluster();
    } catch (error) {
      const reason = reasonOf(error);
      logger().error({ reason }, 'The server stopped with an error');
      throw error;
    }
  });
}

/**
 * A process manager that uses node:cluster, such as PM2, may have handed over a connection that has not arrived here. This
 * asks it to wait until all have been given back: else their clients would wait for ever. Our own primary process does it alone.
 */
async function leaveCluster(): Promise<void> {
  if (!process.connected) return;
  const { default: cluster } = await import('node:cluster');
  if (!cluster.worker?.isConnected()) return;
  // The primary process may hang. This one ends all the same.
  const left = once(cluster.worker, 'disconnect', { signal: AbortSignal.timeout(PATIENCE_MS) });
  cluster.worker.disconnect();
  await left.catch(() => {});
}
