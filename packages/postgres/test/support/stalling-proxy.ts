import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy on loopback that can stop passing bytes on, as a network does that has lost its way. */
export class StallingProxy {
  readonly #sockets = new Set<Socket>();
  #isStalled = false;
  #stalls = 0;

  static readonly #open = new Set<StallingProxy>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param change may replace what the server sends */
  static start(port: number, change = (data: Buffer): Buffer => data): Promise<StallingProxy> {
    return new Promise((resolve) => {
      const server = createServer((near) => {
        const far = connect(port, '127.0.0.1');
        proxy.#join(near, far, (data) => data);
        proxy.#join(far, near, change);
      });
      let proxy: StallingProxy;
      server.listen(0, '127.0.0.1', () => {
        proxy = new StallingProxy(server, (server.address() as { port: number }).port);
        this.#open.add(proxy);
        resolve(proxy);
      });
    });
  }

  /** Bytes go nowhere from now on, and nobody is told. The connections that exist stay silent for ever. */
  stall(): void {
    this.#isStalled = true;
    this.#stalls += 1;
  }

  /** New connections work again. */
  resume(): void {
    this.#isStalled = false;
  }

  /** Closes all proxies. Call it after each test, so that one that fails leaves none behind. */
  static async closeAll(): Promise<void> {
    await Promise.all([...this.#open].map((proxy) => proxy.#close()));
    this.#open.clear();
  }

  async #close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #join(from: Socket, to: Socket, change: (data: Buffer) => Buffer): void {
    const born = this.#stalls;
    this.#sockets.add(from);
    from.on('data', (data) => {
      if (!this.#isStalled && this.#stalls === born) to.write(change(data));
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      if (!this.#isStalled) to.destroy();
    });
  }
}
