import { RESOURCE_METADATA_PATH, resourceMetadataUrl } from '@toolwright/json';
import { isPreflight, PREFLIGHT_MAX_AGE } from '../endpoint/cors.js';
import type { Exchange } from '../endpoint/exchange.js';
import type { OAuthSettings } from './oauth-options.js';
import { askedScopes } from './read-principal.js';

/** Clients name their revision even here, so their browser asks for permission first. */
const ASKED_WITH = 'mcp-protocol-version, accept, content-type, authorization';

/**
 * Returns a function that answers at the root and below the path of the resource. It returns false for other
 * requests, and leaves them alone.
 */
export function metadataSender(settings: OAuthSettings): (exchange: Exchange, url: string) => boolean {
  const paths = new Set([
    new URL(resourceMetadataUrl(settings.resource.href)).pathname,
    RESOURCE_METADATA_PATH,
  ]);
  const text = JSON.stringify({
    resource: settings.resource.href,
    authorization_servers: settings.issuers.map(({ issuer }) => issuer),
    bearer_methods_supported: ['header'],
    ...(settings.scopesSupported.length > 0 && {
      scopes_supported: askedScopes(settings.scopesSupported, settings.scopePrefix),
    }),
    ...Object.assign({}, ...settings.proofs.map(({ metadata }) => metadata)),
    ...settings.described,
  });
  return (exchange, url) => {
    if (!paths.has(url.split('?', 1)[0]!)) return false;
    // The metadata is public: any client, and any page, must be able to learn where to get a token.
    if (exchange.method === 'GET' || exchange.method === 'HEAD') {
      exchange.setHeader('Access-Control-Allow-Origin', '*');
      exchange.sendJson(200, text);
      return true;
    }
    if (isPreflight(exchange)) allowAsking(exchange);
    return isPreflight(exchange);
  };
}

function allowAsking(exchange: Exchange): void {
  exchange.setHeader('Access-Control-Allow-Origin', '*');
  exchange.setHeader('Access-Control-Allow-Methods', 'GET, HEAD');
  exchange.setHeader('Access-Control-Allow-Headers', ASKED_WITH);
  exchange.setHeader('Access-Control-Max-Age', PREFLIGHT_MAX_AGE);
  exchange.sendEmpty(204);
}
