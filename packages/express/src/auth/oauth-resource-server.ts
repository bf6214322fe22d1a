import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticate, Authentication } from '../authentication.js';
import { readBearerToken } from './bearer-token.js';
import { bearerChallenge, type BearerChallenge } from './challenge.js';
import { IssuerUnreachableError } from './issuer-keys.js';
import { resolveOAuthOptions, type OAuthResourceServerOptions } from './oauth-options.js';
import { metadataUrl, serveMetadata } from './protected-resource-metadata.js';
import { InvalidTokenError, tokenVerifier } from './verify-token.js';

/** An OAuth 2.1 resource server: give it to `mcpExpress` or `serveHttp` as `oauth`. */
export interface OAuthResourceServer {
  readonly authenticate: Authenticate;
  /** URL of the protected resource metadata (RFC 9728), named in every challenge. */
  readonly metadataUrl: string;
  /** Serves the metadata: `app.use(oauth.metadata)`. `serveHttp` does so by itself. */
  readonly metadata: (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;
}

/** Seconds after which an issuer that could not be reached may be tried again. */
const ISSUER_RETRY_SECONDS = 5;

/**
 * Accepts the JWT access tokens of the given issuers: signature, algorithm, issuer, audience and times are checked on
 * each request. The token itself goes no further; tools see the principal.
 *
 * @throws {TypeError} naming the option that is wrong
 * @example
 * const oauth = oauthResourceServer({ resource: 'https://api.example.com/mcp', issuers: ['https://login.example.com'] });
 * app.use(oauth.metadata);
 * app.use('/mcp', mcpExpress(server, { oauth }));
 */
export function oauthResourceServer(options: OAuthResourceServerOptions): OAuthResourceServer {
  const settings = resolveOAuthOptions(options);
  const verify = tokenVerifier(settings);
  const resource_metadata = metadataUrl(settings);
  const scope = settings.scopesSupported.join(' ');

  const challenge = (status: number, parameters: BearerChallenge, message: string): Authentication => ({
    challenge: {
      status,
      message,
      headers: { 'WWW-Authenticate': bearerChallenge({ ...parameters, resource_metadata }) },
    },
  });

  const authenticate: Authenticate = (req) => {
    const found = readBearerToken(req.headers.authorization);
    if (found.kind === 'token') return check(found.token);
    if (found.kind === 'malformed') {
      const error_description = 'The Authorization header holds no token.';
      return challenge(
        400,
        { error: 'invalid_request', error_description },
        'Malformed authorization request',
      );
    }
    return settings.anonymous
      ? { principal: undefined }
      : challenge(401, { scope }, 'Authentication required');
  };

  const check = async (token: string): Promise<Authentication> => {
    try {
      return { principal: await verify(token) };
    } catch (error) {
      if (error instanceof IssuerUnreachableError) return unavailable();
      if (!(error instanceof InvalidTokenError)) throw error;
      const parameters = { error: 'invalid_token', error_description: error.message, scope } as const;
      return challenge(401, parameters, error.message);
    }
  };

  return { authenticate, metadataUrl: resource_metadata, metadata: serveMetadata(settings) };
}

/** No verdict on the token is possible: asking the client for another one would be wrong. */
function unavailable(): Authentication {
  const headers = { 'Retry-After': String(ISSUER_RETRY_SECONDS) };
  return { challenge: { status: 503, message: 'Tokens cannot be checked right now', headers } };
}
