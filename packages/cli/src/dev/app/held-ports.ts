import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { mediaTypeIn } from '@toolwright/json';
import type { Address } from '../messages.js';

interface Held {
  key: string;
  port: HeldPort;
}

/**
 * The public ports of an app across restarts. If the app asks for the same port again, it gets the same one,
 * even if it asked for any free port.
 */
export class HeldPorts {
  private readonly ports = new Map<string, HeldPort>();
  /** The ports of the running app, by the number of the listener. */
  private current = new Map<number, Held>();

  /**
   * Opens a port, or returns the one of an earlier run.
   *
   * @throws as `listen` does, such as EADDRINUSE
   */
  async take(listener: number, port: number, host: string | undefined): Promise<Address> {
    const twins = [...this.current.values()].filter(({ key }) => key.startsWith(`${host} ${port} `)).length;
    const key = `${host} ${port} ${twins}`;
    const known = this.ports.get(key);
    const held = known ?? new HeldPort();
    const address = known ? known.address : await held.open(port, host);
    this.ports.set(key, held);
    this.current.set(listener, { key, port: held });
    return address;
  }

  lead(listener: number, port: number): void {
    this.current.get(listener)?.port.lead(port);
  }

  /** Called when the app itself has closed a listener. */
  release(listener: number): void {
    const held = this.current.get(listener);
    if (!held) return;
    this.current.delete(listener);
    this.ports.delete(held.key);
    held.port.close();
  }

  /** Makes requests wait for the next app. */
  hold(): void {
    this.current = new Map();
    for (const port of this.ports.values()) port.hold();
  }

  idle(patienceMs: number): Promise<unknown> {
    return Promise.all([...this.ports.values()].map((port) => port.idle(patienceMs)));
  }

  giveUp(reason: string): void {
    for (const port of this.ports.values()) port.giveUp(reason);
  }

  close(): void {
    for (const port of this.ports.values()) port.close();
  }
}

/** How many milliseconds a request waits for the app before it gets an error. */
const PATIENCE_MS = 30_000;

/** Headers that belong to one connection and are not forwarded. */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection']);

/**
 * A public port that stays open while the app behind it restarts. Requests that arrive meanwhile wait.
 * Running requests are finished by the app that started them.
 */
class HeldPort {
  private readonly server = createServer(
    { requestTimeout: 0, headersTimeout: 60_000 },
    (request, response) => {
      void this.pass(request, response);
    },
  );
  /** The running requests; the value is true for streams. */
  private readonly running = new Map<ServerResponse, boolean>();
  private app: number | undefined;
  private arrived = signal();
  /** Why no app will answer; undefined while one may come. */
  private absence: string | undefined;

  /** @throws as `listen` does, such as EADDRINUSE */
  async open(port: number, host: string | undefined): Promise<Address> {
    this.server.on(
      'upgrade',
      (request: IncomingMessage, socket, head) => void this.passUpgrade(request, socket, head),
    );
    this.server.listen({ port, ...(host !== undefined && { host }) });
    await once(this.server, 'listening');
    return this.address;
  }

  get address(): Address {
    return this.server.address() as AddressInfo;
  }

  /** The app listens on this port of the loopback. */
  lead(port: number): void {
    this.app = port;
    this.absence = undefined;
    this.arrived.fire();
  }

  /** From now on, requests wait. */
  hold(): void {
    this.app = undefined;
    this.absence = undefined;
    this.arrived = signal();
  }

  /** No app will answer for now. All requests get an error with the reason, also the waiting ones. */
  giveUp(reason: string): void {
    this.app = undefined;
    this.absence = reason;
    this.arrived.fire();
    this.arrived = signal();
  }

  /** Resolves when only streams are running, or when the time is over. */
  async idle(patienceMs: number): Promise<void> {
    const until = performance.now() + patienceMs;
    while (performance.now() < until && [...this.running.values()].includes(false)) {
      await pause(5);
    }
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const socket = await this.reach(request.socket, () => this.running.set(response, false));
    if (!socket) return this.refuse(response);
    const passed = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: request.url,
      headers: forOneHop(request.rawHeaders) as never,
    });
    response.once('close', () => {
      this.running.delete(response);
      passed.destroy();
    });
    passed.once('response', (answer) => {
      const isStream = mediaTypeIn(answer.headers['content-type']) === 'text/event-stream';
      this.running.set(response, isStream);
      response.sendDate = false;
      response.writeHead(answer.statusCode!, answer.statusMessage, forOneHop(answer.rawHeaders));
      response.flushHeaders();
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    passed.once('error', () => (response.headersSent ? response.destroy() : this.refuse(response, 502)));
    request.pipe(passed);
  }

  private async passUpgrade(request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const socket = await this.reach(client);
    if (!socket) return void client.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
    const lines = [`${request.method} ${request.url} HTTP/1.1`];
    for (let index = 0; index < request.rawHeaders.length; index += 2)
      lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    socket.write(head);
    socket.pipe(client).pipe(socket);
    socket.once('error', () => client.destroy());
    client.once('error', () => socket.destroy());
  }

  /**
   * Returns a connection to the app as soon as there is one; undefined if there is no app, or the client has
   * gone.
   *
   * @param claim called when it is certain that this app will answer, so that an app that is about to stop
   * waits
   */
  private async reach(client: Duplex, claim?: () => void): Promise<Socket | undefined> {
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until && !client.destroyed && this.absence === undefined) {
      const { app } = this;
      const socket = app === undefined ? undefined : await dial(app);
      if (socket && app === this.app) {
        claim?.();
        return socket;
      }
      socket?.destroy();
      await Promise.race([this.arrived.fired, pause(20)]);
    }
    return undefined;
  }

  private refuse(response: ServerResponse, status = 503): void {
    const reason = this.absence ?? 'The app has not answered.';
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '1' });
    response.end(`toolwright dev: ${reason}\n`);
  }
}

function dial(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.off('error', failed);
      resolve(socket);
    });
    const failed = () => resolve(undefined);
    socket.once('error', failed);
  });
}

function forOneHop(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (!hopByHop.has(name.toLowerCase())) kept.push(name, rawHeaders[index + 1]!);
  }
  return kept;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

function signal(): { fired: Promise<void>; fire(): void } {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => (fire = resolve));
  return { fired, fire };
}
