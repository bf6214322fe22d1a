import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpServer, RequireScopes } from '@toolwright/core';
import { mcpHttp, oauthResourceServer, type OAuthResourceServerOptions } from '@toolwright/http';
import { silentLogger } from '@toolwright/core/ports';

type ServerOptions = Parameters<typeof createMcpServer>[0];

export interface GuardedApp {
  readonly endpoint: string;
  /** Begins to serve with the tokens of an issuer. */
  trust(issuer: string, options?: Partial<OAuthResourceServerOptions>): void;
  close(): Promise<void>;
}

/** An app with a tool for everybody, one for who may read, and one for who may write. */
export async function startGuardedApp(options: Partial<ServerOptions> = {}): Promise<GuardedApp> {
  const server = await createMcpServer({
    name: 'guarded',
    version: '1.0.0',
    services: [],
    logger: silentLogger,
    ...options,
  });
  const add = (name: string, scope?: string) =>
    server.tools.add({
      name,
      description: `Does ${name}.`,
      ...(scope !== undefined && { policies: [RequireScopes.entry(scope)] }),
      handler: (_args, { principal }) => `${name} by ${principal?.subject}`,
    });
  add('whoami');
  add('read_note', 'read');
  add('write_note', 'write');
  const app = createServer();
  app.listen(0, '127.0.0.1');
  await once(app, 'listening');
  const endpoint = `http://127.0.0.1:${(app.address() as AddressInfo).port}/mcp`;
  return {
    endpoint,
    trust(issuer, further = {}) {
      const oauth = oauthResourceServer({
        resource: endpoint,
        issuers: [issuer],
        scopesSupported: ['read', 'write'],
        ...further,
      });
      const answer = mcpHttp(server, { oauth });
      app.on('request', (req, res) => oauth.metadata(req, res, () => void answer(req, res)));
    },
    async close() {
      app.close();
      app.closeAllConnections();
      await server.close();
    },
  };
}
