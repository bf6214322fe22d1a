import type { AuthenticationFailure } from '../endpoint/authentication.js';

/** The reasons for refusing a token. */
export type TokenFault = Exclude<AuthenticationFailure, 'missing' | 'unavailable'>;

/** A text that the client may see: it tells nothing that the client could not read in its own token. */
const texts: Readonly<Record<TokenFault, string>> = {
  malformed: 'The access token is no JWT.',
  issuer: 'The access token is of another issuer.',
  audience: 'The access token is not valid for this resource.',
  expired: 'The access token has expired.',
  'not-yet-valid': 'The access token is not valid yet.',
  'unknown-key': 'The access token is signed with an unknown key.',
  signature: 'The access token has a wrong signature.',
  algorithm: 'The access token is signed with an algorithm that is not accepted.',
  type: 'The access token is a token of another kind.',
  bound: 'The access token is bound to a key and cannot be used as a bearer token.',
  subject: 'The access token names no subject.',
  claims: 'The access token lacks a claim.',
};

/** The token is not valid here. The client may see the text. */
export class InvalidTokenError extends Error {
  constructor(
    readonly reason: TokenFault,
    options?: ErrorOptions,
  ) {
    super(texts[reason], options);
  }
}
