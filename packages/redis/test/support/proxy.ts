import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on loopback that can be cut or go silent. */
export class Proxy {
  readonly #server = createServer((client) => this.#pass(client));
  readonly #open = new Set<Socket>();
  #isShut = false;

  private constructor(private readonly target: number) {}

  static async to(target: number): Promise<Proxy> {
    const proxy = new Proxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts all connections, and refuses new ones until `admit`. */
  cut(): void {
    this.#isShut = true;
    for (const socket of this.#open) socket.destroy();
  }

  admit(): void {
    this.#isShut = false;
  }

  /** The connections that are open now lose everything from here on, as in a network that drops packets. */
  loseAll(): void {
    for (const socket of this.#open) {
      socket.removeAllListeners('data');
      socket.on('data', () => {});
    }
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #pass(client: Socket): void {
    if (this.#isShut) return void client.destroy();
    const server = connect(this.target, '127.0.0.1');
    this.#forward(client, server);
    this.#forward(server, client);
  }

  #forward(from: Socket, to: Socket): void {
    this.#open.add(from);
    from.on('data', (data) => to.write(data));
    from.on('error', () => {});
    from.on('close', () => {
      this.#open.delete(from);
      to.destroy();
    });
  }
}
