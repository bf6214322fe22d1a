import { isObject } from '@toolwright/json';
import type { ProofServer } from '../endpoint/resource-server.js';
import type { MaybePromise } from '@toolwright/core/transport';
import type { IncomingMessage } from 'node:http';
import type { AuthenticationFailure } from '../endpoint/authentication.js';
import { InvalidTokenError } from './token-kind.js';
import type { TokenClaims } from './trusted-issuer.js';

/**
 * Checks that the sender of a token has the key that the token is bound to (`cnf`, RFC 7800), such as `dpopProofs` and
 * `clientCertificates` of `@toolwright/identity`.
 */
export interface TokenProof {
  /** The member of `cnf` with the thumbprint of the key, such as `jkt`. */
  readonly confirms: string;
  /** The scheme of `Authorization` that tokens with this member have. */
  readonly scheme: 'Bearer' | 'DPoP';
  /** True to refuse tokens that are not bound in this way. */
  readonly required: boolean;
  /** What it adds to the metadata of the resource (RFC 9728). */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The parameters of its own challenge in 401 answers; without them, it has none. */
  readonly challenge?: Readonly<Record<string, string>>;
  /** Is called once, before the first request is served. */
  serve?(server: ProofServer): void;
  /** Why the sender of a request is refused; `undefined` when it has shown that it has the key. */
  check(sender: TokenSender): MaybePromise<ProofFailure | undefined>;
}

/** A request with a token that is valid and bound to a key. */
export interface TokenSender {
  readonly request: IncomingMessage | Request;
  readonly token: string;
  /** The thumbprint in the token. */
  readonly thumbprint: string;
  /** The URL of the endpoint. */
  readonly resource: string;
}

export interface ProofFailure {
  /** With `unavailable` the answer is 503, as when the keys of an issuer cannot be fetched. Otherwise it is 401. */
  readonly reason: AuthenticationFailure;
  /** The error code for the client. Default `invalid_token`. */
  readonly error?: string;
  /** What the client is answered. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The proofs that a valid token needs.
 *
 * @throws {InvalidTokenError} `bound` when nothing here can check one of them
 */
export function neededProofs(
  { cnf, typ, token_type }: TokenClaims,
  proofs: readonly TokenProof[],
): TokenProof[] {
  const members = isObject(cnf) ? Object.entries(cnf) : [];
  const needed = members.map(([member, thumbprint]) =>
    proofs.find(({ confirms }) => confirms === member && typeof thumbprint === 'string' && thumbprint !== ''),
  );
  const saysDpop = [typ, token_type].some(
    (kind) => typeof kind === 'string' && kind.toLowerCase() === 'dpop',
  );
  const isLacking = needed.includes(undefined) || (cnf !== undefined && members.length === 0);
  if (isLacking || (saysDpop && !needed.some((proof) => proof?.scheme === 'DPoP')))
    throw new InvalidTokenError('bound');
  return needed as TokenProof[];
}

const UNBOUND: ProofFailure = {
  reason: 'unbound',
  message: 'The access token is bound to no key. Only tokens that are bound are accepted.',
};
const OTHER_SCHEME: ProofFailure = {
  reason: 'proof',
  message: 'The access token was sent with another scheme than it was issued for.',
};

/**
 * The first proof that the sender fails.
 *
 * @param needed what `neededProofs` found for the token
 */
export async function findMissingProof(
  needed: readonly TokenProof[],
  proofs: readonly TokenProof[],
  { scheme, claims, ...sender }: Omit<TokenSender, 'thumbprint'> & { scheme: string; claims: TokenClaims },
): Promise<ProofFailure | undefined> {
  if (proofs.some((proof) => proof.required && !needed.includes(proof))) return UNBOUND;
  // A bound token that is taken as a bearer token is not bound (RFC 9449, section 7.1).
  if (scheme !== (needed.some((proof) => proof.scheme === 'DPoP') ? 'DPoP' : 'Bearer')) return OTHER_SCHEME;
  const thumbprints = claims['cnf'] as Readonly<Record<string, string>>;
  for (const proof of needed) {
    const failure = await proof.check({ ...sender, thumbprint: thumbprints[proof.confirms]! });
    if (failure) return failure;
  }
  return undefined;
}
