import { resourceMetadataUrl } from '@toolwright/json';
import { FetchExchange } from '../fetch/fetch-exchange.js';
import { NodeExchange } from '../node/node-exchange.js';
import type { OAuthResourceServer } from '../endpoint/resource-server.js';
import { challengeWriter } from './challenges.js';
import { RequestChecker } from './check-request.js';
import { addExchange, loadExchange } from './load-exchange.js';
import { type OAuthResourceServerOptions, type OAuthSettings, resolveOAuthOptions } from './oauth-options.js';
import { askedScopes } from './read-principal.js';
import { metadataSender } from './resource-metadata.js';

/**
 * Accepts the JWT access tokens of the given issuers. It checks the signature, algorithm, issuer, audience, times and
 * kind of each token. If an accepted token comes again, it checks the times, and the signature only if the issuer's keys
 * were fetched or have changed since. The token itself is not passed on; tools see the principal.
 *
 * @throws {ConfigurationError} naming the option that is wrong
 * @example
 * const oauth = oauthResourceServer({ resource: 'https://api.example.com/mcp', issuers: ['https://login.example.com'] });
 * app.use(oauth.metadata);
 * app.use('/mcp', mcpHttp(server, { oauth }));
 */
export function oauthResourceServer(options: OAuthResourceServerOptions): OAuthResourceServer {
  const settings = resolveOAuthOptions(options);
  const { proofs, resource, scopePrefix, issuers } = settings;
  // Only a token says which tenants of a shared issuer are let in.
  const trusts = (issuer: string) =>
    issuers.some((each) => each.isIssuer !== undefined || each.issuer === issuer);
  const url = resourceMetadataUrl(resource.href);
  const writeChallenge = challengeWriter(settings, url);
  const asked = (scopes: readonly string[]) => askedScopes(scopes, scopePrefix);
  const authenticate: OAuthResourceServer['authenticate'] = (request) => checker.check(request);
  const exchange = exchangeOf(settings, {
    resource: resource.href,
    authenticate,
    askedScopes: asked,
    trusts,
  });
  const checker = new RequestChecker(settings, writeChallenge, (principal, token) =>
    exchange ? exchange.hold(principal, token) : principal,
  );
  return {
    authenticate,
    resource: resource.href,
    trusts,
    challenge: settings.challenge,
    writeChallenge,
    askedScopes: asked,
    serve: (server) => proofs.forEach((proof) => proof.serve?.(server)),
    metadataUrl: url,
    ...servedMetadata(settings),
    pages: exchange?.pages ?? ((_req, res, next) => (next ? next() : void res.writeHead(404).end())),
    attach: (server) => addExchange(server, exchange),
  };
}

/** What gives tools `ctx.tokenFor`, if an option asks for it. */
function exchangeOf(
  { exchange, grants }: OAuthSettings,
  tokens: Pick<OAuthResourceServer, 'resource' | 'authenticate' | 'askedScopes' | 'trusts'>,
): ReturnType<typeof loadExchange> | undefined {
  return exchange && loadExchange(exchange, grants && { options: grants, tokens });
}

/** Serves the metadata to Node and to the web. */
function servedMetadata(settings: OAuthSettings): Pick<OAuthResourceServer, 'metadata' | 'metadataResponse'> {
  const send = metadataSender(settings);
  return {
    metadata(req, res, next) {
      const exchange = new NodeExchange(req, res);
      if (send(exchange, req.url ?? '')) return;
      if (next) next();
      else exchange.sendEmpty(404);
    },
    metadataResponse(request) {
      const exchange = new FetchExchange(request, undefined);
      return send(exchange, exchange.target) ? exchange.response : undefined;
    },
  };
}
