import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { makeOwnCa, type OwnCa } from '../../identity/test/support/certificates.js';
import { postgresStores } from '../src/index.js';
import { describePostgres } from './support/describe-postgres.js';
import { testPorts } from './support/test-ports.js';

/** The length of the message in which a client asks for TLS. */
const ASKS_FOR_TLS = 8;

/** Speaks TLS in front of a Postgres, whose own build may lack it. */
class TlsFront {
  readonly #open = new Set<Socket>();
  private constructor(
    private readonly server: Server,
    public shown: OwnCa,
  ) {}

  static async start(postgresPort: number, shown: OwnCa): Promise<TlsFront> {
    const server = createServer();
    const front = new TlsFront(server, shown);
    server.on('connection', (socket) => front.#accept(socket, postgresPort));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `postgres://tester@127.0.0.1:${(this.server.address() as AddressInfo).port}/postgres`;
  }

  /** As a restart of the database does, or a cloud that moves it. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  stop(): void {
    this.cut();
    this.server.close();
  }

  #accept(socket: Socket, postgresPort: number): void {
    this.#open.add(socket);
    socket.on('error', () => {}).on('close', () => this.#open.delete(socket));
    const asked = () => {
      if (socket.read(ASKS_FOR_TLS) === null) return void socket.once('readable', asked);
      socket.write('S');
      const secure = new TLSSocket(socket, { isServer: true, ...this.shown.server });
      const behind = connect(postgresPort, '127.0.0.1');
      secure.on('error', () => behind.destroy()).on('close', () => behind.destroy());
      behind.on('error', () => secure.destroy());
      secure.pipe(behind).pipe(secure);
    };
    socket.once('readable', asked);
  }
}

describePostgres('a Postgres whose certificate is replaced, with its authority', (postgres) => {
  const old = makeOwnCa('the old authority');
  const next = makeOwnCa('the next authority');
  let front: TlsFront;
  afterAll(() => front.stop());

  const open = async (ca: string[]) => {
    const ports = testPorts();
    const schema = postgres.newSchema();
    const stores = postgresStores({ url: front.url, ssl: { ca }, timeout: 10_000, schema });
    await stores.open(ports);
    return { ports, stores };
  };

  it('goes on for those who trust both, and says why for those who trust the old one alone', async () => {
    front = await TlsFront.start(postgres.server.port, old);
    const both = await open([old.ca, next.ca]);
    const alone = await open([old.ca]);
    for (const { stores } of [both, alone]) expect(await stores.claims.claim('a', 60_000)).toBe(true);

    front.shown = next;
    // Nobody asks for a certificate while a connection is open.
    for (const { stores } of [both, alone]) expect(await stores.claims.claim('a', 60_000)).toBe(false);
    front.cut();
    await both.ports.logged('Postgres answers again');
    expect(await both.stores.claims.claim('b', 60_000)).toBe(true);
    await alone.ports.logged('certificate');
    for (const { stores } of [both, alone]) await stores.close();
  });
});
