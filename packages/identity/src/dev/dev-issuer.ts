import { drainAfter, readUrl } from '@toolwright/json';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from 'oidc-provider';
import { DevIssuerError } from './dev-issuer-error.js';
import { readEmptySecret } from './empty-secret.js';
import { forgetSessions, promptsOfEachSignIn } from './ask-each-time.js';
import { loadProvider, quietly } from './load-provider.js';
import {
  type DevIssuerClient,
  LOCAL_CLIENT,
  providerSettings,
  TEST_USER_GRANT,
} from './provider-settings.js';
import { signInPages } from './sign-in.js';
import { sendPage } from '../pages/page.js';
import { requestUrl } from '../pages/request-url.js';
import { errorPage } from './pages.js';
import { addTestUserGrant } from './test-user-grant.js';
import { addTokenExchange } from './token-exchange-grant.js';
import { checkTestUsers, defaultTestUsers, type TestUser } from './test-users.js';

export interface DevIssuerOptions {
  /** The port on 127.0.0.1. Default: any free one. */
  readonly port?: number;
  /** Who may sign in. Default: `defaultTestUsers`. */
  readonly users?: readonly TestUser[];
  /** Clients that need no registration. Only these exchange tokens. */
  readonly clients?: readonly DevIssuerClient[];
  /** The URL of the endpoint that tokens are for. Default: every endpoint on this machine. */
  readonly resource?: string;
  /**
   * Fetches client metadata documents. Default: a fetch that reaches no address inside of a network, as a public issuer
   * has it. A test whose document is on this machine needs another one.
   */
  readonly fetch?: typeof fetch;
}

export interface TokenWish {
  /** The URL of the endpoint. Default: the option `resource`. */
  readonly resource?: string;
  /** Default: all scopes of the user. Scopes that the user does not have are left out. */
  readonly scopes?: readonly string[];
}

/** An authorization server that runs. */
export interface DevIssuer {
  /** The issuer identifier, which is also its URL: pass it to `oauthResourceServer({ issuers: [issuer] })`. */
  readonly issuer: string;
  readonly users: readonly TestUser[];
  /**
   * An access token of a test user, without a page.
   *
   * @throws {DevIssuerError} if there is no such user, or the resource gets no tokens
   */
  token(subject: string, wish?: TokenWish): Promise<string>;
  close(): Promise<void>;
}

/**
 * Starts a real authorization server on 127.0.0.1, where anybody on this machine may sign in as one of the test users. It
 * registers clients dynamically and by client metadata documents, demands PKCE, and issues JWT access tokens for the
 * resource that a client names (RFC 8707). A client of the option `clients` may exchange a token for one of another resource on
 * this machine (RFC 8693). It keeps everything in memory, and makes new keys at each start.
 *
 * @throws {DevIssuerError} in production, for wrong options, and if the port is taken
 * @example
 * const issuer = await startDevIssuer({ resource: 'http://127.0.0.1:3000/mcp' });
 * const oauth = oauthResourceServer({ resource: 'http://127.0.0.1:3000/mcp', issuers: [issuer.issuer] });
 */
export async function startDevIssuer(options: DevIssuerOptions = {}): Promise<DevIssuer> {
  refuseProduction();
  const users = checkTestUsers(options.users ?? defaultTestUsers, 'users');
  if (options.resource !== undefined && readUrl(options.resource) === undefined)
    throw new DevIssuerError('TW_DEV_ISSUER_OPTIONS', `resource: ${options.resource} is no URL.`);
  const server = createServer();
  await listen(server, options.port ?? 0);
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const provider = await openProvider(issuer, users, options);
    server.on('request', handlerOf(provider, issuer, users));
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    issuer,
    users,
    token: (subject, wish = {}) => fetchToken(issuer, subject, { resource: options.resource, ...wish }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Who reaches this issuer is whoever they say. Nothing that real people use may trust it. */
function refuseProduction(): void {
  if (process.env['NODE_ENV'] !== 'production') return;
  throw new DevIssuerError(
    'TW_DEV_ISSUER_IN_PRODUCTION',
    'The issuer of @toolwright/identity/dev lets everybody sign in as anybody, so it does not start with NODE_ENV=production. Use a real authorization server: set its URL as the issuer.',
  );
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new DevIssuerError(
      'TW_DEV_ISSUER_OPTIONS',
      `The issuer cannot listen on 127.0.0.1:${port}: ${(error as NodeJS.ErrnoException).code}. Leave "port" out to get a free one.`,
      { cause: error },
    );
  }
}

async function openProvider(
  issuer: string,
  users: readonly TestUser[],
  { clients, resource, fetch }: DevIssuerOptions,
): Promise<Provider> {
  const library = await loadProvider();
  const { Provider, errors } = library;
  const refuseResource = () => new errors.InvalidTarget('This issuer gives tokens for this machine only.');
  const settings = providerSettings({
    users,
    clients,
    resource,
    fetch,
    refuseResource,
    prompts: promptsOfEachSignIn(library),
  });
  const renderError = (ctx: { type: string; body: unknown }, out: Record<string, unknown>) => {
    ctx.type = 'html';
    ctx.body = errorPage(String(out['error']), String(out['error_description'] ?? ''));
  };
  const provider = await quietly(async () => new Provider(issuer, { ...settings, renderError } as never));
  forgetSessions(provider);
  addTestUserGrant(provider, errors, { users, resource });
  addTokenExchange(provider, errors, { issuer, users, resource, clients });
  return provider;
}

/** Answers the pages of the sign-in, and lets oidc-provider answer the rest. */
function handlerOf(provider: Provider, issuer: string, users: readonly TestUser[]) {
  const answer = provider.callback();
  const signIn = signInPages(provider, users);
  const { host } = new URL(issuer);
  return (req: IncomingMessage, res: ServerResponse): void => {
    drainAfter(res);
    // A web page can point its own host name at this machine, and would then share an origin with this issuer.
    if (req.headers.host !== host) return sendPage(res, 403, errorPage('wrong host', `Open ${issuer}.`));
    const { pathname } = requestUrl(req, issuer);
    if (pathname.startsWith('/sign-in/')) return void signIn(req, res);
    readEmptySecret(req);
    void answer(req, res);
  };
}

async function fetchToken(issuer: string, subject: string, wish: TokenWish): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: TEST_USER_GRANT,
      client_id: LOCAL_CLIENT,
      user: subject,
      ...(wish.resource !== undefined && { resource: wish.resource }),
      ...(wish.scopes && { scope: wish.scopes.join(' ') }),
    }),
  });
  const answer = (await response.json()) as Record<string, string>;
  if (answer['access_token'] !== undefined) return answer['access_token'];
  throw new DevIssuerError(
    'TW_DEV_ISSUER_OPTIONS',
    `The issuer gives no token: ${answer['error_description'] ?? answer['error']}.`,
  );
}
