import { RETRY_AFTER_MS } from '@toolwright/core/transport';
import type { MaybePromise } from '@toolwright/core/transport';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authentication, AuthenticationFailure } from '../endpoint/authentication.js';
import { isPreflight } from '../endpoint/cors.js';
import type { Exchange } from '../endpoint/exchange.js';
import { FetchExchange } from '../fetch/fetch-exchange.js';
import { NodeExchange } from '../node/node-exchange.js';
import {
  type ChallengeForm,
  type ChallengeParameters,
  type TokenScheme,
  challengeText,
  readToken,
} from './bearer.js';
import { IssuerUnreachableError } from './issuer-keys.js';
import { addExchange, loadExchange } from './load-exchange.js';
import { type OAuthResourceServerOptions, type OAuthSettings, resolveOAuthOptions } from './oauth-options.js';
import { askedScopes } from './read-principal.js';
import { InvalidTokenError } from './token-kind.js';
import { findMissingProof, type ProofServer } from './token-proof.js';
import type { CheckedToken } from './verified-tokens.js';
import { tokenVerifier } from './verify-token.js';

/** An OAuth 2.1 resource server. Pass it to `mcpHttp`, `serveHttp` or `mcpFetch` as `oauth`. */
export interface OAuthResourceServer {
  readonly authenticate: (req: IncomingMessage | Request) => MaybePromise<Authentication>;
  /** The URL of the endpoint that the tokens are for. */
  readonly resource: string;
  /** The form in which callers learn which scopes they lack. */
  readonly challenge: ChallengeForm;
  /** The value of `WWW-Authenticate`: the metadata is added, and scopes are named as clients ask for them. */
  readonly writeChallenge: (parameters: ChallengeParameters) => string;
  /** How clients ask for scopes: with the option `scopePrefix`. */
  readonly askedScopes: (scopes: readonly string[]) => readonly string[];
  /** Is called by the endpoint, once, before its first request. */
  readonly serve: (server: ProofServer) => void;
  /** The URL of the protected resource metadata (RFC 9728). Every challenge names it. */
  readonly metadataUrl: string;
  /** Serves the metadata: `app.use(oauth.metadata)`. `serveHttp` does this by itself. */
  readonly metadata: (req: IncomingMessage, res: ServerResponse, next?: () => void) => void;
  /** The same for web-standard requests. `undefined` when the request asks for something else. */
  readonly metadataResponse: (request: Request) => Promise<Response> | undefined;
  /**
   * Serves the page of the option `grants`: `app.use(oauth.pages)`. `serveHttp` does this by itself. It leaves all other
   * requests alone.
   */
  readonly pages: (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;
  /**
   * Gives the tools of a server `ctx.tokenFor`. Endpoints do it by themselves. Call it in a process that serves no endpoint,
   * such as a worker of durable tasks.
   */
  readonly attach: (server: object) => Promise<void>;
}

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
  const { proofs, resource } = settings;
  const verify = tokenVerifier(settings);
  const resource_metadata = metadataUrl(settings);
  const writeChallenge = challengeWriter(settings, resource_metadata);
  const knowsDpop = proofs.some(({ scheme }) => scheme === 'DPoP');
  const requiresProof = proofs.some(({ required }) => required);
  const scope = settings.scopesSupported.join(' ');

  const challenge = (parameters: ChallengeParameters, refusal: Refusal): Authentication => {
    const { status, message, reason, headers, scheme, issuer } = refusal;
    const text = writeChallenge(parameters, scheme);
    return {
      challenge: { status, message, reason, issuer, headers: { ...headers, 'WWW-Authenticate': text } },
    };
  };

  const authenticate: OAuthResourceServer['authenticate'] = (request) => {
    const found = repeatsAuthorization(request)
      ? ({ kind: 'malformed' } as const)
      : readToken(authorizationIn(request.headers), knowsDpop);
    if (found.kind === 'token') return check(found.token, found.scheme, request);
    if (found.kind === 'malformed') {
      const error_description = 'The Authorization header holds no token.';
      const message = 'Malformed authorization request';
      return challenge(
        { error: 'invalid_request', error_description },
        { status: 400, message, reason: 'malformed' },
      );
    }
    return settings.anonymous
      ? { principal: undefined }
      : challenge({ scope }, { status: 401, message: 'Authentication required', reason: 'missing' });
  };

  const asked = (scopes: readonly string[]) => askedScopes(scopes, settings.scopePrefix);
  const { grants } = settings;
  const exchange =
    settings.exchange &&
    loadExchange(
      settings.exchange,
      grants && {
        options: grants,
        tokens: {
          resource: resource.href,
          authenticate: (req) => authenticate(req),
          askedScopes: (scopes) => asked(scopes),
        },
      },
    );
  const check = (token: string, scheme: TokenScheme, request: Asking): MaybePromise<Authentication> => {
    const refuse = (error: unknown): Authentication => {
      if (error instanceof IssuerUnreachableError) return unavailable(error.issuer, causeOf(error));
      if (!(error instanceof InvalidTokenError)) throw error;
      const { message, reason, issuer } = error;
      const parameters = { error: 'invalid_token', error_description: message, scope };
      return challenge(parameters, { status: 401, message, reason, scheme, issuer });
    };
    const accept = (checked: CheckedToken): MaybePromise<Authentication> => {
      const principal = exchange ? exchange.hold(checked.principal, token) : checked.principal;
      if (checked.proofs.length === 0 && !requiresProof && scheme === 'Bearer') return { principal };
      const sender = { request, token, scheme, claims: checked.payload, resource: resource.href };
      return findMissingProof(checked.proofs, proofs, sender).then((failure) => {
        if (!failure) return { principal };
        const { reason, error = 'invalid_token', message, headers } = failure;
        const { issuer } = checked.principal;
        if (reason === 'unavailable') return unavailable(issuer, message);
        const parameters = { error, error_description: message, scope };
        return challenge(parameters, { status: 401, message, reason, headers, scheme, issuer });
      });
    };
    const outcome = verify(token);
    return outcome instanceof Promise ? outcome.then(accept).catch(refuse) : accept(outcome);
  };

  const sendMetadata = metadataSender(settings);
  return {
    authenticate,
    resource: resource.href,
    challenge: settings.challenge,
    writeChallenge,
    askedScopes: asked,
    serve: (server) => proofs.forEach((proof) => proof.serve?.(server)),
    metadataUrl: resource_metadata,
    metadata(req, res, next) {
      const exchange = new NodeExchange(req, res);
      if (sendMetadata(exchange, req.url ?? '')) return;
      if (next) next();
      else exchange.sendEmpty(404);
    },
    metadataResponse(request) {
      const exchange = new FetchExchange(request, undefined);
      return sendMetadata(exchange, exchange.target) ? exchange.response : undefined;
    },
    pages: exchange?.pages ?? ((_req, res, next) => (next ? next() : void res.writeHead(404).end())),
    attach: (server) => addExchange(server, exchange),
  };
}

/**
 * Node keeps the first of two such headers and drops the other; something in front may have looked at the other one. The
 * web joins them, which is not a token.
 */
function repeatsAuthorization(request: Asking): boolean {
  if (!('rawHeaders' in request)) return false;
  const { rawHeaders } = request;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++;
  }
  return count > 1;
}

/** Node has the headers as an object, and the web as `Headers`. */
function authorizationIn(headers: IncomingMessage['headers'] | Headers): string | undefined {
  return typeof headers.get === 'function'
    ? (headers.get('authorization') ?? undefined)
    : (headers as IncomingMessage['headers']).authorization;
}

type Asking = IncomingMessage | Request;

interface Refusal {
  status: number;
  message: string;
  reason: AuthenticationFailure;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The scheme that the caller has used. */
  scheme?: TokenScheme;
  issuer?: string | undefined;
}

/**
 * Writes challenges. Where bound tokens are accepted beside others, a challenge names both schemes; a caller that has used
 * the one of DPoP learns what was wrong with that.
 */
function challengeWriter({ proofs, scopePrefix }: OAuthSettings, resource_metadata: string) {
  const dpop = proofs.find(({ scheme }) => scheme === 'DPoP');
  return (parameters: ChallengeParameters, used?: TokenScheme): string => {
    const scope = askedScopes(parameters.scope?.split(' ') ?? [], scopePrefix).join(' ');
    const all = { ...parameters, scope, resource_metadata };
    if (dpop && (dpop.required || used === 'DPoP'))
      return challengeText('DPoP', { ...all, ...dpop.challenge });
    const bearer = challengeText('Bearer', all);
    return dpop ? `${bearer}, ${challengeText('DPoP', dpop.challenge ?? {})}` : bearer;
  };
}

/** The token can be neither accepted nor refused. It would be wrong to ask the client for another one. */
function unavailable(issuer: string | undefined, cause: string): Authentication {
  const headers = { 'Retry-After': String(RETRY_AFTER_MS.away / 1_000) };
  const message = 'Tokens cannot be checked right now';
  return { challenge: { status: 503, message, headers, reason: 'unavailable', issuer, cause } };
}

/** Why an issuer cannot be asked. These errors are about the issuer, and know nothing of the token. */
function causeOf({ message, cause }: Error): string {
  const inner = cause as Error | undefined;
  return typeof inner?.message === 'string' ? `${message} ${causeOf(inner)}` : message;
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** Clients name their revision even here, so their browser asks for permission first. */
const ASKED_WITH = 'mcp-protocol-version, accept, content-type, authorization';

/**
 * The path that RFC 9728 gives the metadata: the well-known path comes between the origin and the resource's
 * own path.
 */
function metadataUrl({ resource }: OAuthSettings): string {
  return `${resource.origin}${WELL_KNOWN}${resource.pathname.replace(/\/$/, '')}`;
}

/**
 * Returns a function that answers at the root and below the path of the resource. It returns false for other
 * requests, and leaves them alone.
 */
function metadataSender(settings: OAuthSettings): (exchange: Exchange, url: string) => boolean {
  const paths = new Set([new URL(metadataUrl(settings)).pathname, WELL_KNOWN]);
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
  exchange.setHeader('Access-Control-Max-Age', '86400');
  exchange.sendEmpty(204);
}
