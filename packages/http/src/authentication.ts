import type { IncomingMessage } from 'node:http';
import type { MaybePromise, Principal } from '@toolwright/core';

/**
 * Why a caller was not let in, for the operator's log and audit:
 * - `missing`: the request carries no token
 * - `malformed`: the header holds no token, or the token is no JWT
 * - `issuer`: the token is of an issuer that is not trusted
 * - `audience`: it was issued for another resource
 * - `expired`, `not-yet-valid`: the time is wrong, here or at the issuer
 * - `unknown-key`: the issuer publishes no key of that id
 * - `signature`: the signature does not fit the token
 * - `algorithm`: it is signed with an algorithm that is not accepted
 * - `type`: it is not an access token, such as an ID token or a logout token
 * - `bound`: it is bound to a key (DPoP, mTLS), and nothing here proves that the caller has that key
 * - `subject`: it names nobody
 * - `claims`: another claim is missing or wrong
 * - `unavailable`: the issuer's keys cannot be had now, so nothing is known about the token
 */
export type AuthenticationFailure =
  | 'missing'
  | 'malformed'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not-yet-valid'
  | 'unknown-key'
  | 'signature'
  | 'algorithm'
  | 'type'
  | 'bound'
  | 'subject'
  | 'claims'
  | 'unavailable';

/** A refusal to say who the caller is, such as a 401 with `WWW-Authenticate`. */
export interface Challenge {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** For the JSON-RPC error in the body. Must not tell more than the headers do. */
  message: string;
  /** For the operator; clients are told `message` alone. */
  reason?: AuthenticationFailure;
}

/** Who calls; undefined for anonymous callers. Or how to ask them. */
export type Authentication = { principal: Principal | undefined } | { challenge: Challenge };

/** Runs for each request, after Host and Origin were checked and before the body is read. */
export type Authenticate = (req: IncomingMessage) => MaybePromise<Authentication>;
