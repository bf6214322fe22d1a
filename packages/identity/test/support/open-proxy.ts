import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryRecordStore, type RecordStore, systemClock } from '@toolwright/core/ports';
import { startDevIssuer, type DevIssuer } from '../../src/dev.js';
import { openAuthorizationProxy, type AuthorizationProxyOptions } from '../../src/proxy.js';

export const SECRET = 'a secret of the tests, which is long enough';

type ProxyOptions = Partial<AuthorizationProxyOptions> & {
  replicas?: number;
  /** Opens the store of a replica. Default: all share one in memory. */
  openRecords?: (() => Promise<RecordStore>) | undefined;
};

/** An authorization proxy in front of a real issuer, with any number of replicas behind one address. */
export class ProxyAtWork {
  private constructor(
    readonly upstream: DevIssuer,
    readonly issuer: string,
    readonly records: RecordStore,
    private readonly server: Server,
  ) {}

  static async start(resource: string, options: ProxyOptions = {}): Promise<ProxyAtWork> {
    const upstream = await startDevIssuer();
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const memory = new MemoryRecordStore(systemClock);
    const { replicas = 1, openRecords = async () => memory, ...further } = options;
    const records = await openRecords();
    const clientId = await register(upstream.issuer, `${issuer}/oauth/callback`);
    const all = await Promise.all(
      Array.from({ length: replicas }, async () =>
        openAuthorizationProxy({
          issuer,
          upstream: { issuer: upstream.issuer, clientId, scopes: ['openid'] },
          resources: { [resource]: ['read', 'write'] },
          scopesOf: ({ subject }) => upstream.users.find((user) => user.subject === subject)?.scopes ?? [],
          secrets: [SECRET],
          records: await openRecords(),
          ...further,
        }),
      ),
    );
    // Each request comes to another replica.
    let turn = 0;
    server.on('request', (req, res) => all[turn++ % all.length]!.handler(req, res));
    return new ProxyAtWork(upstream, issuer, records, server);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await this.upstream.close();
  }
}

/** Registers a client that has no secret, and returns its id. */
export async function register(
  issuer: string,
  redirect: string,
  path = '/reg',
  further: object = {},
): Promise<string> {
  const response = await fetch(issuer + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'An application',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
      ...further,
    }),
  });
  const answer = (await response.json()) as { client_id?: string };
  if (answer.client_id === undefined) throw new Error(JSON.stringify(answer));
  return answer.client_id;
}
