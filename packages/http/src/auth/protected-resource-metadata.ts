import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPreflight } from '../cors.js';
import { sendJson } from '../respond.js';
import type { OAuthSettings } from './oauth-options.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** Clients name their revision even here, so their browser asks for permission first. */
const ASKED_WITH = 'mcp-protocol-version, accept, content-type, authorization';

/**
 * The path that RFC 9728 gives the metadata: the well-known path comes between the origin and the resource's
 * own path.
 */
export function metadataUrl({ resource }: OAuthSettings): string {
  return `${resource.origin}${WELL_KNOWN}${resource.pathname.replace(/\/$/, '')}`;
}

/** Answers at the root and below the path of the resource. Other requests go to `next`, or are not found. */
export function serveMetadata(settings: OAuthSettings) {
  const paths = new Set([new URL(metadataUrl(settings)).pathname, WELL_KNOWN]);
  const text = JSON.stringify({
    resource: settings.resource.href,
    authorization_servers: settings.issuers.map(({ issuer }) => issuer),
    bearer_methods_supported: ['header'],
    ...(settings.scopesSupported.length > 0 && { scopes_supported: settings.scopesSupported }),
    ...settings.described,
  });
  return (req: IncomingMessage, res: ServerResponse, next?: () => void): void => {
    const path = (req.url ?? '').split('?')[0]!;
    if (paths.has(path)) {
      // The metadata is public: any client, and any page, must be able to learn where to get a token.
      if (req.method === 'GET' || req.method === 'HEAD') {
        res.setHeader('Access-Control-Allow-Origin', '*');
        return sendJson(res, 200, text);
      }
      if (isPreflight(req)) return void allowAsking(res);
    }
    if (next) return next();
    res.writeHead(404, { 'Content-Length': 0 }).end();
  };
}

function allowAsking(res: ServerResponse): void {
  res
    .writeHead(204, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, HEAD',
      'Access-Control-Allow-Headers': ASKED_WITH,
      'Access-Control-Max-Age': '86400',
    })
    .end();
}
