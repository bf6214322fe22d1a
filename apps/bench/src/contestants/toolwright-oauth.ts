import { oauthResourceServer } from '@toolwright/http';
import type { Settings } from './settings.js';

/** The option `oauth` of the transports, where tokens are checked. */
export function oauthOption({ tokens }: Settings) {
  if (!tokens) return {};
  const { issuer, jwksUri, audience, scope } = tokens;
  const oauth = oauthResourceServer({
    resource: audience,
    issuers: [{ issuer, jwksUri }],
    scopesSupported: [scope],
  });
  return { oauth };
}
