import { connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy on loopback that can stop passing bytes on, as a network does that has lost its way. */
export class StallingProxy {
  readonly #sockets = new Set<Socket>();
  #isStalled = false;

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
        resolve(proxy);
      });
    });
  }

  /** Bytes of old and new connections go nowhere. Nobody is told. */
  stall(): void {
    this.#isStalled = true;
  }

  /** New connections work again. What was sent before is lost, so the old ones stay silent. */
  resume(): void {
    this.#isStalled = false;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #join(from: Socket, to: Socket, change: (data: Buffer) => Buffer): void {
    let isLost = false;
    this.#sockets.add(from);
    from.on('data', (data) => {
      isLost ||= this.#isStalled;
      if (!isLost) to.write(change(data));
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      if (!this.#isStalled) to.destroy();
    });
  }
}
