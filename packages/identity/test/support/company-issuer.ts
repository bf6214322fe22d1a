import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';

/** The identity provider of a company, which signs assertions: its metadata and its keys. */
export async function openCompany(jwk: JWK): Promise<{ readonly issuer: string; close(): void }> {
  const company = createServer();
  await once(company.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(company.address() as AddressInfo).port}`;
  const documents: Record<string, object> = {
    '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/jwks` },
    '/jwks': { keys: [jwk] },
  };
  company.on('request', (req, res) => {
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(documents[req.url!] ?? {}));
  });
  return { issuer, close: () => company.close().closeAllConnections() };
}
