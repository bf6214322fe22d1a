import {
  mcpFetch,
  oauthResourceServer,
  type FetchHandler,
  type McpFetchOptions,
} from '@toolwright/http/fetch';
import type { McpServer } from '@toolwright/core';

/**
 * The server for callers with an access token, and its metadata beside it.
 *
 * @param issuer whose tokens are accepted
 */
export function securedHandler(
  make: () => Promise<McpServer>,
  issuer: string,
  options: McpFetchOptions = {},
): FetchHandler {
  const oauth = oauthResourceServer({ resource: 'https://contacts.example/mcp', issuers: [issuer] });
  const handler = mcpFetch(make, { ...options, oauth });
  return (request, connection) => oauth.metadataResponse(request) ?? handler(request, connection);
}
