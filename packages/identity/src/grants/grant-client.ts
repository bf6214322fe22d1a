import type { IssuerClient } from '../exchange/issuer-client.js';

/** What an issuer has given for a grant. */
export interface GrantedTokens {
  readonly accessToken: string;
  readonly lifeMs: number;
  /** `undefined`: the issuer gave none, or keeps the one that it gave before. */
  readonly refreshToken: string | undefined;
  /** The scopes that the issuer names. `undefined`: it granted what was asked for. */
  readonly scopes: readonly string[] | undefined;
}

/** What the browser keeps while the person is at the issuer. */
export interface GrantDeparture {
  readonly state: string;
  readonly verifier: string;
}

/** Speaks with the issuer of a resource about grants of people: authorization code with PKCE, refresh, revocation. */
export class GrantClient {
  constructor(private readonly issuer: IssuerClient) {}

  /** Where to send the person. */
  async depart(redirect: URL, scopes: readonly string[]): Promise<{ url: URL; departure: GrantDeparture }> {
    const [oidc, configuration] = await this.issuer.configure();
    const departure = { state: oidc.randomState(), verifier: oidc.randomPKCECodeVerifier() };
    // OpenID issuers give a refresh token for this scope, and only after a consent (OpenID Connect Core, section 11).
    const isOffline = configuration.serverMetadata().scopes_supported?.includes('offline_access') === true;
    const asked = [...scopes, ...(isOffline && !scopes.includes('offline_access') ? ['offline_access'] : [])];
    const { scope: _, ...target } = this.issuer.target([]);
    const url = oidc.buildAuthorizationUrl(configuration, {
      ...target,
      ...(isOffline && { prompt: 'consent' }),
      ...(asked.length > 0 && { scope: asked.join(' ') }),
      ...this.issuer.rule.parameters,
      redirect_uri: redirect.href,
      code_challenge: await oidc.calculatePKCECodeChallenge(departure.verifier),
      code_challenge_method: 'S256',
      state: departure.state,
    });
    return { url, departure };
  }

  /** Redeems the code that the person came back with. */
  async arrive(at: URL, { state, verifier }: GrantDeparture): Promise<GrantedTokens> {
    const [oidc, configuration] = await this.issuer.configure();
    const checks = { expectedState: state, pkceCodeVerifier: verifier };
    const { scope: _, ...target } = this.issuer.target([]);
    return this.#read(await oidc.authorizationCodeGrant(configuration, at, checks, target));
  }

  /**
   * Gets a new access token.
   *
   * @param scopes fewer than were granted; empty: all of them
   * @throws {ExchangeError}
   */
  async refresh(refreshToken: string, scopes: readonly string[]): Promise<GrantedTokens> {
    const [oidc, configuration] = await this.issuer.configure();
    return this.#read(await oidc.refreshTokenGrant(configuration, refreshToken, this.issuer.target(scopes)));
  }

  /** @returns false when the issuer has no endpoint for it */
  async revoke(refreshToken: string): Promise<boolean> {
    const [oidc, configuration] = await this.issuer.configure();
    if (configuration.serverMetadata().revocation_endpoint === undefined) return false;
    await oidc.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' });
    return true;
  }

  #read(answer: Parameters<IssuerClient['read']>[0]): GrantedTokens {
    const { token, lifeMs } = this.issuer.read(answer);
    const { refresh_token: refreshToken, scope } = answer as { refresh_token?: string; scope?: string };
    return { accessToken: token, lifeMs, refreshToken, scopes: scope?.split(' ').filter(Boolean) };
  }
}
