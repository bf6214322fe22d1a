import { isSameSecret, present } from '@toolwright/json';
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from '@toolwright/core';
import type { Clock, Logger } from '@toolwright/core/ports';
import { wrongOption } from '@toolwright/core/options';
import { ConnectedIssuer, connectionForPage } from '../issuers/connect-to-issuer.js';
import type { FetchDocument } from '../issuers/issuer-preset.js';
import { SealedCookies } from './cookies.js';
import { explain, redirect, safe } from './page.js';
import { isSentByPageOf } from './read-form.js';
import { requestUrl } from './request-url.js';

/** What checks access tokens: what `oauthResourceServer` of `@toolwright/http` makes. */
export interface TokenChecker {
  readonly resource: string;
  authenticate(req: Request): unknown;
  /** How clients ask for scopes. Default: by their own names. */
  askedScopes?(scopes: readonly string[]): readonly string[];
  /** False for an issuer whose tokens are never accepted. Default: nobody knows. */
  trusts?(issuer: string): boolean;
}

export interface SignInSettings {
  /** The URL of the pages, as browsers reach them. `<url>/callback` is the redirect URI of the client. */
  readonly url: URL;
  /** The OpenID issuer that signs people in. */
  readonly issuer: string;
  readonly clientId: string;
  /** Without it, the client is a public one. */
  readonly clientSecret?: string | undefined;
  /** Is sent as `audience` in place of `resource`. `false`: neither is sent. */
  readonly audience?: string | false | undefined;
  /** The scopes that are asked for besides `openid`. */
  readonly scopes?: readonly string[] | undefined;
  /** Sends the requests to the issuer. Default: the global `fetch`. */
  readonly fetch?: FetchDocument | undefined;
  /** Decides who a person is, and which scopes they have: exactly as for callers of the endpoint. */
  readonly tokens: TokenChecker;
  /** Seal the cookies. All processes behind the URL have the same. */
  readonly secrets: readonly string[];
  /** What the pages are for. Cookies of one purpose cannot stand in for those of another. */
  readonly purpose: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a sign-in is for. */
export interface SignInWish {
  readonly scopes?: readonly string[];
  readonly anew?: boolean;
}

/** A person who has signed in. */
export interface PageSession {
  readonly principal: Principal;
  /** What to call the person on a page. */
  readonly name: string;
  /** Known to the server and, sealed, to the browser. It links forms to this session. */
  readonly secret: string;
  readonly expires: number;
}

/** Who decides on a page. The name is what people know; an issuer may know them by another one. */
export const signedInAs = ({ name, principal: { subject } }: PageSession): string =>
  `You are signed in as ${safe(name)}${name === subject ? '' : ` (${safe(subject)})`}.`;

/** What the browser keeps while the person is at the issuer. */
interface Departure {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly expires: number;
}

/** How long a person may take at the issuer, and how long they stay signed in, in milliseconds. */
const LIFETIME_MS = 600_000;

const SESSION = 'tw_page';
const DEPARTURE = 'tw_in_';

/**
 * Signs people in on pages of the server: authorization code with PKCE, state and nonce, by the certified openid-client.
 * All state is in sealed cookies, so the person may come back to another process.
 */
export class SignIn {
  readonly #cookies: SealedCookies;
  readonly #issuer: ConnectedIssuer;

  constructor(private readonly settings: SignInSettings) {
    const { url, secrets, purpose, tokens, issuer } = settings;
    if (tokens.trusts?.(issuer) === false)
      throw wrongOption(
        `${purpose}.issuer: ${issuer} is none of the issuers that oauthResourceServer trusts, so nobody could sign in on this page.`,
        'Name one of "issuers" exactly as it is written there, or add it there.',
      );
    this.#issuer = new ConnectedIssuer(connectionForPage(settings));
    this.#cookies = new SealedCookies(url, secrets, `${purpose} sign-in`);
  }

  /** Who has signed in with this browser; `undefined` for nobody. */
  session(req: IncomingMessage): PageSession | undefined {
    const session = this.#cookies.read(req, SESSION) as PageSession | undefined;
    return session && session.expires > this.settings.clock.now() ? session : undefined;
  }

  /**
   * Sends the person to the issuer.
   *
   * @param returnTo where to go on, below the URL of the pages, such as `/0123`
   * @param wish.scopes what the person needs; the issuer may grant less
   * @param wish.anew true for a person who wants to sign in as somebody else
   */
  async begin(
    res: ServerResponse,
    returnTo: string,
    { scopes = [], anew = false }: SignInWish,
  ): Promise<void> {
    const { tokens, clock } = this.settings;
    const wanted = [...new Set([...(this.settings.scopes ?? []), ...scopes])];
    const asked = tokens.askedScopes?.(wanted) ?? wanted;
    await this.#orExplain(res, async () => {
      const oidc = await import('openid-client');
      const issuer = await this.#issuer.configuration();
      const departure: Departure = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        returnTo,
        expires: clock.now() + LIFETIME_MS,
      };
      const { state, nonce, verifier } = departure;
      const target = oidc.buildAuthorizationUrl(issuer, {
        redirect_uri: this.#below('/callback').href,
        scope: ['openid', ...asked].join(' '),
        ...this.#target,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(anew && { prompt: 'login' }),
      });
      this.#cookies.writeOneOf(res, DEPARTURE, { id: state, value: departure, ms: LIFETIME_MS });
      redirect(res, target);
    });
  }

  /** Takes the person back from the issuer. */
  async finish(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const at = new URL(this.#below('/callback'));
    at.search = requestUrl(req, this.settings.url).search;
    const state = at.searchParams.get('state') ?? '';
    const now = this.settings.clock.now();
    const departure = this.#cookies.take<Departure>({ req, res }, DEPARTURE, { state, now });
    if (!departure)
      return explain(
        res,
        400,
        'This sign-in has ended',
        'Open the address that your application shows again.',
      );
    await this.#orExplain(res, async () => {
      this.#cookies.write(res, SESSION, await this.#redeem(at, departure), LIFETIME_MS);
      redirect(res, this.#below(departure.returnTo));
    });
  }

  /** The value of the hidden field `token` of a form. @param what the form decides about */
  formToken({ secret }: PageSession, what: string): string {
    return createHash('sha256').update(`${secret} ${what}`).digest('base64url');
  }

  /** True if a form was sent by a page of ours that this person has seen. */
  isOwnForm(req: IncomingMessage, form: URLSearchParams, session: PageSession, what: string): boolean {
    if (!isSentByPageOf(this.settings.url.origin, req)) return false;
    return isSameSecret(form.get('token') ?? '', this.formToken(session, what));
  }

  async #redeem(at: URL, { state, nonce, verifier }: Departure): Promise<PageSession> {
    const { tokens, clock } = this.settings;
    const oidc = await import('openid-client');
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    };
    const answer = await oidc.authorizationCodeGrant(await this.#issuer.configuration(), at, checks, {
      ...this.#target,
    });
    // The token is checked as one of a caller is. So a person has the same subject and scopes here as there.
    const { principal } = (await tokens.authenticate(
      new Request(tokens.resource, { headers: { authorization: `Bearer ${answer.access_token}` } }),
    )) as { principal?: Principal };
    if (!principal)
      throw new SignInError(
        'The issuer has signed you in, but its access token is not accepted here.',
        'The access token of a sign-in on a page is not accepted by the resource server',
      );
    const { issuer, subject, clientId, tenant, scopes } = principal;
    const claims: Record<string, unknown> = { ...answer.claims() };
    const named = [claims['name'], claims['email'], claims['preferred_username']].find(
      (claim) => typeof claim === 'string' && claim !== '',
    ) as string | undefined;
    return {
      principal: present({ issuer, subject, clientId, tenant, scopes }),
      name: named ?? subject,
      secret: randomBytes(24).toString('base64url'),
      expires: clock.now() + LIFETIME_MS,
    };
  }

  /** What the access token is for, as the issuer wants it named. */
  get #target(): Record<string, string> {
    const { audience, tokens } = this.settings;
    if (audience === undefined) return { resource: tokens.resource };
    return audience === false ? {} : { audience };
  }

  #below(path: string): URL {
    const { url } = this.settings;
    return new URL(url.href.replace(/\/$/, '') + path);
  }

  /** Shows a page when the issuer refuses or does not answer. What it said goes to the log. */
  async #orExplain(res: ServerResponse, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (err) {
      const { error } = err as { error?: unknown };
      if (error === 'access_denied')
        return explain(
          res,
          403,
          'You have not signed in',
          'Nothing was decided. Open the address again to sign in.',
        );
      const isOurs = err instanceof SignInError;
      this.settings.logger.error(
        { err, issuer: this.settings.issuer },
        isOurs ? err.log : 'A sign-in on a page failed',
      );
      explain(
        res,
        502,
        'The sign-in failed',
        isOurs ? err.message : 'The operator of this server finds the reason in its log.',
      );
    }
  }
}

/** A sign-in that failed for a reason that the person may read. */
class SignInError extends Error {
  constructor(
    message: string,
    readonly log: string,
  ) {
    super(message);
  }
}
