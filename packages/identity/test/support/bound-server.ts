import { createMcpServer } from '@toolwright/core';
import { type OAuthResourceServerOptions, oauthResourceServer, serveHttp } from '@toolwright/http';
import { silentLogger } from '@toolwright/core/ports';
import type { LocalIssuer } from '../../../http/test/support/local-issuer.js';
import { RESOURCE } from './proof-of-key.js';

type ServerOptions = Parameters<typeof createMcpServer>[0];

/** A server for tokens that are bound to keys. */
export async function startBoundServer(
  { issuer, origin }: Pick<LocalIssuer, 'issuer' | 'origin'>,
  options: Partial<OAuthResourceServerOptions>,
  serverOptions: Partial<ServerOptions> = {},
) {
  const reasons: (string | undefined)[] = [];
  const server = await createMcpServer({
    name: 'bound',
    version: '1.0.0',
    services: [],
    rateLimit: false,
    logger: silentLogger,
    ...serverOptions,
  } as ServerOptions);
  const trusted = [{ issuer, jwksUri: `${origin}/jwks` }];
  const oauth = oauthResourceServer({ resource: RESOURCE, issuers: trusted, ...options });
  const asked: typeof oauth = {
    ...oauth,
    async authenticate(request) {
      const outcome = await oauth.authenticate(request);
      reasons.push('challenge' in outcome ? outcome.challenge.reason : undefined);
      return outcome;
    },
  };
  const origins = ['https://app.example'];
  const service = await serveHttp(server, {
    port: 0,
    oauth: asked,
    signals: false,
    cors: true,
    allowedOrigins: origins,
  });
  return {
    url: service.url,
    /** Why the last request was refused. */
    reason: () => reasons.at(-1),
    /** Lists the tools. */
    ask(headers: Record<string, string>): Promise<Response> {
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      return fetch(service.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/list',
          ...headers,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }),
      });
    },
    async metadata(): Promise<Record<string, unknown>> {
      const path = '/.well-known/oauth-protected-resource/mcp';
      return (await (await fetch(new URL(path, service.url))).json()) as Record<string, unknown>;
    },
    async close(): Promise<void> {
      await service.close();
      await server.close(0);
    },
  };
}

export type BoundServer = Awaited<ReturnType<typeof startBoundServer>>;
