import { ConnectedIssuer, connectionForPage } from '../issuers/connect-to-issuer.js';
import type { ProxySettings, ProxyUser } from './proxy-options.js';

/** What the browser keeps, sealed, while the person is at the upstream issuer. */
export interface Departure {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The sign-in that the person has consented to. */
  readonly uid: string;
  /** In milliseconds since the epoch. */
  readonly expires: number;
}

/** The issuer that signs people in, spoken to by the certified openid-client. */
export class Upstream {
  readonly #issuer: ConnectedIssuer;

  constructor(
    private readonly settings: ProxySettings,
    private readonly callback: string,
  ) {
    this.#issuer = new ConnectedIssuer(connectionForPage(settings.upstream));
  }

  /** Where to send the person, and what to remember until they come back. */
  async depart(uid: string, expires: number): Promise<{ url: URL; departure: Departure }> {
    const oidc = await import('openid-client');
    const { scopes, parameters } = this.settings.upstream;
    const departure: Departure = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      uid,
      expires,
    };
    const url = oidc.buildAuthorizationUrl(await this.#issuer.configuration(), {
      ...parameters,
      redirect_uri: this.callback,
      scope: scopes.join(' '),
      code_challenge: await oidc.calculatePKCECodeChallenge(departure.verifier),
      code_challenge_method: 'S256',
      state: departure.state,
      nonce: departure.nonce,
    });
    return { url, departure };
  }

  /** Redeems the code that the person came back with. The tokens of the upstream issuer are not kept. */
  async arrive(search: string, { state, nonce, verifier }: Departure): Promise<ProxyUser> {
    const oidc = await import('openid-client');
    const at = new URL(this.callback);
    at.search = search;
    const answer = await oidc.authorizationCodeGrant(await this.#issuer.configuration(), at, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = { ...answer.claims()! };
    return { issuer: claims.iss, subject: claims.sub, claims };
  }
}
