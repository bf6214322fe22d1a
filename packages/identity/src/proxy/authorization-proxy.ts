import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { forgetSessions, promptsOfEachSignIn } from '../dev/ask-each-time.js';
import { readEmptySecret } from '../dev/empty-secret.js';
import { loadProvider, quietly } from '../dev/load-provider.js';
import { PageShell } from '@toolwright/json';
import { dress, explain } from '../pages/page.js';
import { requestUrl } from '../pages/request-url.js';
import { CALLBACK, Consent, PAGES } from './consent.js';
import { addIdentityAssertions } from './identity-assertions.js';
import { ProviderRecords } from './provider-records.js';
import { providerSettings, REGISTRATION } from './provider-settings.js';
import { readProxyOptions, type AuthorizationProxyOptions, type ProxySettings } from './proxy-options.js';
import { registrationReader } from './read-registration.js';
import { isAllowedRedirect } from './redirect-patterns.js';
import { RequestLimits } from './request-limits.js';
import { loadSigningKeys } from './signing-keys.js';

/** Answers the requests of the proxy. Others go to `next`; without it, the answer is 404. */
export type ProxyHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** An authorization server in front of an issuer. */
export interface AuthorizationProxy {
  /** The issuer identifier: pass it to `oauthResourceServer({ issuers: [issuer] })`. */
  readonly issuer: string;
  /** For `app.use(proxy.handler)` in Express, at the root, or for `createServer(proxy.handler)`. */
  readonly handler: ProxyHandler;
}

/** What a request asks for is kept until the person has decided, so strangers must not write much of it. In characters. */
const LONGEST_TARGET = 8_000;

const WELL_KNOWN = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

/**
 * Opens an authorization server for clients that register dynamically or by metadata documents, in front of an issuer that
 * knows neither, such as Entra ID or Google. People sign in there. The proxy issues its own tokens, and never passes on
 * those of the issuer.
 *
 * Each person consents to each client before the sign-in. With a shared `records` store, any number of replicas serve
 * one sign-in together.
 *
 * @throws {ConfigurationError} that names each wrong option
 * @example
 * const proxy = await openAuthorizationProxy({
 *   issuer: 'https://mcp.example.com',
 *   upstream: { issuer: 'https://login.example.com', clientId: 'mcp', clientSecret },
 *   resources: { 'https://mcp.example.com/mcp': ['tickets:read', 'tickets:write'] },
 *   scopesOf: ({ claims }) => (claims.role === 'agent' ? ['tickets:read', 'tickets:write'] : ['tickets:read']),
 *   secrets: [secret],
 *   records: stores.records,
 * });
 * app.use(proxy.handler);
 */
export async function openAuthorizationProxy(
  options: AuthorizationProxyOptions,
): Promise<AuthorizationProxy> {
  const settings = readProxyOptions(options);
  const library = await loadProvider();
  const { Provider, errors } = library;
  const { records: store, secrets, clock, issuer } = settings;
  const alreadyUsed = () => new errors.InvalidGrant('it was used before');
  const records = new ProviderRecords({ records: store, secrets, clock, alreadyUsed });
  const parts = {
    settings,
    records,
    keys: await loadSigningKeys(records),
    prompts: promptsOfEachSignIn(library),
    readRegistration: registrationReader(errors, settings),
    refuseScopes: (asked: string) =>
      new errors.InvalidScope('this server knows none of the scopes that the client asks for', asked),
    refuseResource: () => new errors.InvalidTarget('this server gives no tokens for that resource'),
    refuseAssertion: () =>
      new errors.InvalidClientAuth(
        'the assertion is padded, too long or valid for too long, or has a member twice',
      ),
  };
  const renderError = (ctx: KoaContextWithOIDC, out: Record<string, unknown>, error: Error) => {
    const [title, text] =
      error instanceof errors.InvalidRedirectUri
        ? ['This application is not let in', 'Its address is not on the list of this server.']
        : ['The sign-in cannot begin', String(out['error_description'] ?? out['error'])];
    explain(ctx.res, ctx.status, title, text);
    ctx.respond = false;
  };
  const provider = await quietly(
    async () => new Provider(issuer, { ...providerSettings(parts), renderError } as never),
  );
  // The URL of the proxy is known, so no header of a request can change it.
  provider.proxy = true;
  forgetSessions(provider);
  limitRedirects(provider, settings);
  if (settings.identityAssertions.length > 0) addIdentityAssertions({ provider, errors, settings, records });
  const consent = new Consent(settings, records, provider);
  return { issuer, handler: handlerOf(provider, consent, settings) };
}

/** Sends nobody to an address that the option "redirects" does not list, whatever the client says of itself. */
function limitRedirects(
  { Client: { prototype } }: Provider,
  { clients, redirects, logger }: ProxySettings,
): void {
  // eslint-disable-next-line unbound-method -- it is called on the client
  const { redirectUriAllowed: isOfClient } = prototype;
  prototype.redirectUriAllowed = function (uri) {
    if (!isOfClient.call(this, uri)) return false;
    const isKnown = clients.some(({ client_id: id }) => id === this.clientId);
    if (isKnown || isAllowedRedirect(uri, redirects)) return true;
    logger?.warn(
      { client: this.clientId },
      'A client asks for a redirect address that the option "redirects" of openAuthorizationProxy does not list',
    );
    return false;
  };
}

/** Answers the pages, and lets oidc-provider answer the rest. */
function handlerOf(
  provider: Provider,
  consent: Consent,
  { issuer, registration, brand, ...settings }: ProxySettings,
): ProxyHandler {
  const answer = provider.callback();
  const { host, protocol } = new URL(issuer);
  const shell = new PageShell(brand);
  const limits = new RequestLimits({ issuer, limiter: settings.rateLimiter, ...settings });
  return (req, res, next) => {
    const { pathname } = requestUrl(req, issuer);
    if (!pathname.startsWith('/oauth/') && !WELL_KNOWN.includes(pathname)) {
      if (next) return next();
      return void res.writeHead(404).end();
    }
    dress(res, shell);
    if (req.url!.length > LONGEST_TARGET) return void res.writeHead(414).end();
    void limits.secondsToWait(req, pathname).then((seconds) => {
      if (seconds > 0) return refuse(req, res, seconds);
      serve(req, res, pathname);
    });
  };

  function serve(req: IncomingMessage, res: ServerResponse, pathname: string): void {
    if (pathname.startsWith(PAGES)) return void consent.serve(req, res);
    if (pathname === CALLBACK && req.method === 'GET') return void consent.arrive(req, res);
    if (registration && pathname === REGISTRATION) {
      openToPages(res);
      if (req.method === 'OPTIONS') return void res.writeHead(204).end();
    }
    readEmptySecret(req);
    req.headers['x-forwarded-host'] = host;
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    void answer(req, res);
  }
}

/** Tells a program in the form of OAuth, and a person on a page, that their address has sent too much. */
function refuse({ method }: IncomingMessage, res: ServerResponse, seconds: number): void {
  res.setHeader('Retry-After', seconds);
  const text = `This address has sent too many requests. Try again in ${seconds} seconds.`;
  if (method === 'GET') return explain(res, 429, 'Please wait', text);
  openToPages(res);
  res
    .writeHead(429, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify({ error: 'temporarily_unavailable', error_description: text }));
}

/** Everybody may register, so a client that is a web page may, too. It sends no cookies along. */
function openToPages(res: ServerResponse): void {
  res.setHeader('Access-Control-Allow-Origin', '*');
  res.setHeader('Access-Control-Allow-Methods', 'POST');
  res.setHeader('Access-Control-Allow-Headers', 'Content-Type, Accept, Authorization, MCP-Protocol-Version');
  res.setHeader('Access-Control-Max-Age', '3600');
}
