import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { makeOwnCa, type OwnCa } from '../../identity/test/support/certificates.js';
import { Pool } from 'pg';
import { systemClock } from '@toolwright/core/ports';
import { StatementThread } from '../src/database.js';
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
    /** Who vouches for clients, if they are asked for a certificate. */
    public forClients?: OwnCa,
  ) {}

  static async start(postgresPort: number, shown: OwnCa, forClients?: OwnCa): Promise<TlsFront> {
    const server = createServer();
    const front = new TlsFront(server, shown, forClients);
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
      const asks = this.forClients && { requestCert: true, rejectUnauthorized: true, ca: this.forClients.ca };
      const secure = new TLSSocket(socket, { isServer: true, ...this.shown.server, ...asks });
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

describePostgres('a Postgres that asks for certificates of clients', (postgres) => {
  const [authority, old, next] = ['authority', 'old', 'next'].map((name) => makeOwnCa(`${name} of clients`));
  let front: TlsFront;
  beforeEach(async () => (front = await TlsFront.start(postgres.server.port, authority!, old)));
  afterEach(() => front.stop());

  /** What an application gives whose certificate is renewed in files. The driver reads it for each connection. */
  function renewable() {
    const current = { of: old! };
    const ssl = {
      ca: authority!.ca,
      get cert() {
        return current.of.server.cert;
      },
      get key() {
        return current.of.server.key;
      },
    };
    return { current, ssl };
  }

  it('gets the new one from getters at the next reconnect', async () => {
    const { current, ssl } = renewable();
    const ports = testPorts();
    const stores = postgresStores({ url: front.url, ssl, timeout: 10_000, schema: postgres.newSchema() });
    await stores.open(ports);
    current.of = front.forClients = next!;
    front.cut();
    await ports.logged('Postgres answers again');
    expect(await stores.claims.claim('a', 60_000)).toBe(true);
    await stores.close();
  });

  it.each(['url', 'pool'] as const)('gets it from a thread, too, also a new one (%s)', async (way) => {
    const { current, ssl } = renewable();
    const pool = new Pool({ connectionString: front.url, ssl });
    pool.on('error', () => undefined);
    // The driver hides the key of what has connected once.
    await pool.query('SELECT 1');
    const place = way === 'url' ? { url: front.url, ssl } : { pool };
    const failed = jest.fn();
    const settings = { ...place, clock: systemClock, timeout: 10_000 };
    const statement = { text: 'SELECT $1::int AS number', everyMs: 5 };
    const thread = (await StatementThread.start(settings, statement, failed))!;
    const answered = async (number: number) => {
      thread.ask([number]);
      while (!thread.answers().some(({ rows }) => rows[0]?.['number'] === number))
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await answered(1);
    current.of = front.forClients = next!;
    front.cut();
    await answered(2);
    expect(failed).not.toHaveBeenCalled();
    await thread.stop();
    await pool.end();
  });
});

describePostgres('a Postgres whose password is changed', (postgres) => {
  let current: string;
  let pool: Pool;

  /** What a service that keeps secrets does. Connections that are open stay open until they are cut. */
  const setPassword = (next: string) => postgres.sql(`ALTER ROLE app PASSWORD '${next}'`);
  const cut = () =>
    postgres.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'`);

  beforeAll(async () => {
    const [{ data_directory: folder } = {}] = await postgres.sql('SHOW data_directory');
    const rules = ['host all app 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 trust'];
    await postgres.sql(`COPY (VALUES ('${rules.join("'), ('")}')) TO '${folder}/pg_hba.conf'`);
    await postgres.sql('SELECT pg_reload_conf()');
    await postgres.sql('CREATE ROLE app LOGIN');
    await postgres.sql('GRANT CREATE ON DATABASE postgres TO app');
  });
  beforeEach(async () => {
    await setPassword((current = 'the first'));
    // The pool of an application that fetches the password for each connection, of the place that it is for.
    const password: unknown = async (place?: { host: string }) =>
      place?.host === host ? current : 'of no place';
    const { hostname: host, port } = new URL(postgres.server.url);
    const place = { host, port: Number(port), user: 'app', database: 'postgres' };
    pool = new Pool({ ...place, password: password as () => string });
    pool.on('error', () => undefined);
  });
  afterEach(() => pool.end());

  it.each([
    ['before', async () => void (current = 'the next')],
    ['after', async () => undefined],
  ])('comes back to a lent pool that gets the new one %s its connections were cut', async (_when, before) => {
    const ports = testPorts();
    const stores = postgresStores({ pool, timeout: 10_000, schema: postgres.newSchema() });
    await stores.open(ports);
    expect(await stores.claims.claim('a', 60_000)).toBe(true);
    await setPassword('the next');
    // Nobody asks for a password while a connection is open.
    expect(await stores.claims.claim('a', 60_000)).toBe(false);
    await before();
    await cut();
    if (current !== 'the next') {
      await ports.logged('Postgres is away');
      await expect(Promise.resolve(stores.claims.claim('b', 60_000))).rejects.toMatchObject({
        code: expect.stringMatching(/^TW_POSTGRES/) as string,
      });
      current = 'the next';
    }
    await ports.logged('"postgres bus"', 2);
    while (stores.health().some(({ up }) => !up)) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await stores.claims.claim('c', 60_000)).toBe(true);
    expect(ports.lines.join()).not.toMatch(/the (?:first|next)/);
    await stores.close();
  });

  it('comes back to a thread, whose password function learns its place as in the driver', async () => {
    const settings = { pool, clock: systemClock, timeout: 10_000 };
    const statement = { text: 'SELECT $1::int AS number', everyMs: 5 };
    const failed = jest.fn();
    const thread = (await StatementThread.start(settings, statement, failed))!;
    const answered = async (number: number) => {
      thread.ask([number]);
      while (!thread.answers().some(({ rows }) => rows[0]?.['number'] === number))
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await answered(1);
    await setPassword((current = 'the next'));
    await cut();
    await answered(2);
    expect(failed).not.toHaveBeenCalled();
    await thread.stop();
  });
});
