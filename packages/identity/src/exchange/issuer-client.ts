import { readUrl } from '@toolwright/json';
import type { Configuration } from 'openid-client';
import type { Logger } from '@toolwright/core/ports';
import {
  ConnectedIssuer,
  describeFailure,
  type IssuerConnection,
  type IssuerFailure,
} from '../issuers/connect-to-issuer.js';
import { ExchangeError } from './exchange-error.js';
import type { ResourceRule } from './exchange-rule.js';

type OpenidClient = typeof import('openid-client');

/** What an issuer has given. Times are in milliseconds. */
export interface IssuedToken {
  readonly token: string;
  /** How long it lives, from now on. */
  readonly lifeMs: number;
}

/** Tokens of an issuer that does not say how long they live are used for so long, in milliseconds. */
const UNKNOWN_LIFE_MS = 60_000;

const TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
const ACCESS_TOKENS = [TOKEN_TYPE, 'urn:ietf:params:oauth:token-type:jwt'];

/** These errors say that the user has to do something. All others are between the server and the issuer. */
const ABOUT_USERS = [
  'invalid_grant',
  'interaction_required',
  'login_required',
  'consent_required',
  'access_denied',
];
/** These say that the same request may succeed later. */
const LATER = ['temporarily_unavailable', 'server_error', 'slow_down'];

/** Speaks with the issuer of one rule, by the certified openid-client. */
export class IssuerClient {
  readonly #issuer: ConnectedIssuer;

  constructor(
    readonly rule: ResourceRule,
    private readonly logger: Logger,
  ) {
    const { issuer, clientId, clientSecret, clientAuth, timeoutMs, fetch } = rule;
    this.#issuer = new ConnectedIssuer({
      issuer,
      timeoutMs,
      fetch: fetch as IssuerConnection['fetch'],
      client: { clientId, clientSecret, clientAuth },
      // A rule names only an issuer on this machine by plain http.
      plainHttp: new URL(issuer).protocol === 'http:',
    });
  }

  /** Exchanges the token of a caller (RFC 8693). */
  exchange(subjectToken: string, scopes: readonly string[]): Promise<IssuedToken> {
    return this.#grant('urn:ietf:params:oauth:grant-type:token-exchange', {
      ...this.target(scopes),
      subject_token: subjectToken,
      subject_token_type: TOKEN_TYPE,
      requested_token_type: TOKEN_TYPE,
    });
  }

  /** The same at Entra ID. */
  onBehalfOf(assertion: string, scopes: readonly string[]): Promise<IssuedToken> {
    const { resource } = this.rule;
    const asked = scopes.length > 0 ? scopes : [`${resource.replace(/\/$/, '')}/.default`];
    return this.#grant('urn:ietf:params:oauth:grant-type:jwt-bearer', {
      assertion,
      requested_token_use: 'on_behalf_of',
      scope: asked.join(' '),
    });
  }

  /** A token of the server itself. */
  clientCredentials(scopes: readonly string[]): Promise<IssuedToken> {
    return this.#grant('client_credentials', this.target(scopes));
  }

  /** The metadata of the issuer. An attempt that fails is not kept. */
  async configure(): Promise<[OpenidClient, Configuration]> {
    return [await import('openid-client'), await this.#issuer.configuration()];
  }

  /** What the tool may know about a failure. The rest goes to the log, without anything that was sent. */
  explain(error: unknown): ExchangeError {
    if (error instanceof ExchangeError) return error;
    const { resource } = this.rule;
    const described = this.#described(error);
    const { reason = '', status = 0 } = described;
    const isAnswer = reason !== '' && !LATER.includes(reason) && status < 500 && status !== 429;
    if (!isAnswer) {
      this.logger.warn(described, 'An issuer did not give a token for another resource');
      return new ExchangeError(
        'TW_TOKEN_UNAVAILABLE',
        `There is no token for ${resource} right now, because its issuer does not answer. Try again later.`,
      );
    }
    if (ABOUT_USERS.includes(reason)) {
      this.logger.info(described, 'An issuer refused a token for another resource');
      return new ExchangeError(
        'TW_TOKEN_REFUSED',
        `The issuer gives no token for ${resource} on behalf of this user. The user must sign in to this server again, or lacks access there.`,
      );
    }
    this.logger.error(described, 'An issuer refused a token for another resource');
    return new ExchangeError(
      'TW_TOKEN_REFUSED',
      `The issuer gives no token for ${resource}. The operator of this server finds the reason in its log, and corrects the option "exchange" of oauthResourceServer. Another attempt does not help.`,
    );
  }

  /** The parameters that say what a token is for. */
  target(scopes: readonly string[]): Record<string, string> {
    const { audience, resource } = this.rule;
    return {
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...(audience !== undefined ? { audience } : readUrl(resource) && { resource }),
    };
  }

  async #grant(type: string, parameters: Record<string, string>): Promise<IssuedToken> {
    try {
      const [oidc, configuration] = await this.configure();
      const answer = await oidc.genericGrantRequest(configuration, type, {
        ...parameters,
        ...this.rule.parameters,
      });
      return this.read(answer);
    } catch (error) {
      throw this.explain(error);
    }
  }

  /** @throws {ExchangeError} when a tool could not use the token */
  read(answer: { access_token: string; token_type: string; expires_in?: number | undefined }): IssuedToken {
    const { issued_token_type: kind } = answer as { issued_token_type?: unknown };
    // `N_A` says that it is not an access token (RFC 8693, section 2.2.1).
    const isBearer = answer.token_type.toLowerCase() === 'bearer';
    if (!isBearer || (typeof kind === 'string' && !ACCESS_TOKENS.includes(kind)))
      throw this.explain({ error: 'unusable_token', status: 200 });
    return {
      token: answer.access_token,
      lifeMs: answer.expires_in === undefined ? UNKNOWN_LIFE_MS : answer.expires_in * 1_000,
    };
  }

  #described(error: unknown): IssuerFailure & { resource: string; issuer: string } {
    const { resource, issuer } = this.rule;
    return { resource, issuer, ...describeFailure(error) };
  }
}
