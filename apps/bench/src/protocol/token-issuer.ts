import { createServer } from 'node:http';
import { listen } from '../contestants/listen.js';
import type { TokenRules } from '../contestants/settings.js';
import { SCOPE } from '../contestants/work.js';

/** An authorization server as contestants see it: it serves its keys, and its tokens are right. */
export interface TokenIssuer {
  rules: TokenRules;
  token: string;
  stop(): void;
}

const AUDIENCE = 'http://127.0.0.1/mcp';

/** Starts an issuer with a key of its own. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { exportJWK, generateKeyPair, SignJWT } = await import('jose');
  const alg = 'ES256';
  const kid = 'bench';
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const keys = [{ ...(await exportJWK(publicKey)), alg, kid, use: 'sig' }];
  const server = createServer((_req, res) =>
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys })),
  );
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  const token = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setSubject('ann')
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime('1d')
    .sign(privateKey);
  const rules = { issuer, jwksUri: `${issuer}/jwks`, audience: AUDIENCE, scope: SCOPE };
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { rules, token, stop };
}
