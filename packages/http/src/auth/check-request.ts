import type { Principal } from '@toolwright/core';
import type { MaybePromise } from '@toolwright/core/transport';
import type { Authentication, AuthenticationFailure } from '../endpoint/authentication.js';
import { type ChallengeParameters, type TokenScheme, readToken } from '../endpoint/bearer.js';
import { causeOf, type challengeWriter, unavailable } from './challenges.js';
import { IssuerUnreachableError } from './issuer-keys.js';
import type { OAuthSettings } from './oauth-options.js';
import { InvalidTokenError } from './token-kind.js';
import { findMissingProof } from './token-proof.js';
import type { CheckedToken } from './verified-tokens.js';
import { tokenVerifier } from './verify-token.js';
import type { IncomingMessage } from 'node:http';

interface Refusal {
  status: number;
  message: string;
  reason: AuthenticationFailure;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The scheme that the caller has used. */
  scheme?: TokenScheme;
  issuer?: string | undefined;
}

/** Finds out who sends a request: reads its token, verifies it, and asks for the proofs that it needs. */
export class RequestChecker {
  readonly #verify: ReturnType<typeof tokenVerifier>;
  readonly #knowsDpop: boolean;
  readonly #requiresProof: boolean;
  readonly #scope: string;

  /** @param hold remembers the token of a principal, for calls of other APIs */
  constructor(
    private readonly settings: OAuthSettings,
    private readonly writeChallenge: ReturnType<typeof challengeWriter>,
    private readonly hold: (principal: Principal, token: string) => Principal,
  ) {
    const { proofs, scopesSupported } = settings;
    this.#verify = tokenVerifier(settings);
    this.#knowsDpop = proofs.some(({ scheme }) => scheme === 'DPoP');
    this.#requiresProof = proofs.some(({ required }) => required);
    this.#scope = scopesSupported.join(' ');
  }

  check(request: TokenRequest): MaybePromise<Authentication> {
    const found = tokenIn(request, this.#knowsDpop);
    if (found.kind === 'token') return this.#checkToken(found.token, found.scheme, request);
    if (found.kind === 'malformed') {
      const error_description = 'The Authorization header holds no token.';
      const message = 'Malformed authorization request';
      const parameters = { error: 'invalid_request', error_description };
      return this.#challenge(parameters, { status: 400, message, reason: 'malformed' });
    }
    if (this.settings.anonymous) return { principal: undefined };
    const message = 'Authentication required';
    return this.#challenge({ scope: this.#scope }, { status: 401, message, reason: 'missing' });
  }

  #checkToken(token: string, scheme: TokenScheme, request: TokenRequest): MaybePromise<Authentication> {
    const outcome = this.#verify(token);
    if (!(outcome instanceof Promise)) return this.#accept(outcome, { request, token, scheme });
    return outcome
      .then((checked) => this.#accept(checked, { request, token, scheme }))
      .catch((error: unknown) => this.#refuse(error, scheme));
  }

  #accept(
    checked: CheckedToken,
    sent: { readonly request: TokenRequest; readonly token: string; readonly scheme: TokenScheme },
  ): MaybePromise<Authentication> {
    const { proofs, resource } = this.settings;
    const { scheme } = sent;
    const principal = this.hold(checked.principal, sent.token);
    if (checked.proofs.length === 0 && !this.#requiresProof && scheme === 'Bearer') return { principal };
    const sender = { claims: checked.payload, resource: resource.href, ...sent };
    return findMissingProof(checked.proofs, proofs, sender).then((failure) => {
      if (!failure) return { principal };
      const { reason, error = 'invalid_token', message, headers } = failure;
      const { issuer } = checked.principal;
      if (reason === 'unavailable') return unavailable(issuer, message);
      const parameters = { error, error_description: message, scope: this.#scope };
      return this.#challenge(parameters, { status: 401, message, reason, headers, scheme, issuer });
    });
  }

  #refuse(error: unknown, scheme: TokenScheme): Authentication {
    if (error instanceof IssuerUnreachableError) return unavailable(error.issuer, causeOf(error));
    if (!(error instanceof InvalidTokenError)) throw error;
    const { message, reason, issuer } = error;
    const parameters = { error: 'invalid_token', error_description: message, scope: this.#scope };
    return this.#challenge(parameters, { status: 401, message, reason, scheme, issuer });
  }

  #challenge(parameters: ChallengeParameters, refusal: Refusal): Authentication {
    const { status, message, reason, headers, scheme, issuer } = refusal;
    const text = this.writeChallenge(parameters, scheme);
    return {
      challenge: { status, message, reason, issuer, headers: { ...headers, 'WWW-Authenticate': text } },
    };
  }
}

/** A request with a token, of Node or of the web. */
type TokenRequest = IncomingMessage | Request;

/** @param knowsDpop true to read the scheme of RFC 9449, too */
function tokenIn(request: TokenRequest, knowsDpop: boolean): ReturnType<typeof readToken> {
  return repeatsAuthorization(request)
    ? { kind: 'malformed' }
    : readToken(authorizationIn(request.headers), knowsDpop);
}

/**
 * Node keeps the first of two such headers and drops the other; something in front may have looked at the other one. The
 * web joins them, which is not a token.
 */
function repeatsAuthorization(request: TokenRequest): boolean {
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
