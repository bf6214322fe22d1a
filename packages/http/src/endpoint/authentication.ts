import type { IncomingMessage } from 'node:http';
import type { Principal } from '@toolwright/core';
import type { MaybePromise } from '@toolwright/core/transport';

/**
 * Why a caller was not let in, for the operator's log and the audit log:
 * - `missing`: the request carries no token
 * - `malformed`: the header contains no token, or the token is not a JWT
 * - `inactive`: the issuer says that the token has ended, was revoked, or is not its own (RFC 7662)
 * - `issuer`: the issuer of the token is not trusted
 * - `audience`: the token was issued for another resource
 * - `expired`, `not-yet-valid`: the time of the token does not fit; one of the two clocks may be wrong
 * - `unknown-key`: the issuer publishes no key with this id
 * - `signature`: the signature does not fit the token
 * - `algorithm`: the token is signed with an algorithm that is not accepted
 * - `type`: it is not an access token; it may be an ID token or a logout token
 * - `bound`: the token is bound to a key (DPoP, mTLS), and no option says how to check that the caller has this key
 * - `unbound`: the token is bound to no key, and only such tokens are accepted
 * - `proof`: the caller has not shown that it has the key of the token (DPoP, mTLS)
 * - `replay`: the proof of the key was used before
 * - `nonce`: the proof of the key lacks a nonce of this server; a client sends it again with the one in the answer
 * - `subject`: the token names no subject
 * - `tenant`: the token names no tenant, and `tenant` of `oauthResourceServer` wants one
 * - `claims`: another claim is missing or wrong
 * - `unavailable`: the issuer cannot be asked for its keys or about the token now, so the token cannot be checked
 */
export type AuthenticationFailure =
  | 'missing'
  | 'malformed'
  | 'inactive'
  | 'issuer'
  | 'audience'
  | 'expired'
  | 'not-yet-valid'
  | 'unknown-key'
  | 'signature'
  | 'algorithm'
  | 'type'
  | 'bound'
  | 'unbound'
  | 'proof'
  | 'replay'
  | 'nonce'
  | 'subject'
  | 'tenant'
  | 'claims'
  | 'unavailable';

/** The answer to a caller that could not be authenticated, such as a 401 with `WWW-Authenticate`. */
export interface Challenge {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The message of the JSON-RPC error in the body. It must not tell more than the headers do. */
  message: string;
  /** The reason, for the operator. Clients get only `message`. */
  reason?: AuthenticationFailure;
  /** The issuer of the token, for the operator. If it is not trusted, the token itself names it. */
  issuer?: string | undefined;
  /** What is behind the reason, for the operator, such as why an issuer cannot be asked. It never has a part of the token. */
  cause?: string | undefined;
}

/** Either the caller (`undefined` for an anonymous one), or the challenge that it is answered with. */
export type Authentication = { principal: Principal | undefined } | { challenge: Challenge };

/**
 * Runs for each request, after Host and Origin were checked and before the body is read.
 *
 * @template Req `IncomingMessage` for `mcpHttp`, `Request` for `mcpFetch`
 */
export type Authenticate<Req = IncomingMessage> = (req: Req) => MaybePromise<Authentication>;
