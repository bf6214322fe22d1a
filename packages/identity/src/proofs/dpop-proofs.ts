import { readUrl } from '@toolwright/json';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Duration, optionRules, parseOptions, type OptionSchema } from '@toolwright/core/options';
import type { ClaimStore, Clock, Logger } from '@toolwright/core/ports';
import type { JWTPayload } from 'jose';
import { DpopNonces } from './dpop-nonces.js';
import { headerOf, isRepeated } from '../adapters/authenticated.js';
import { isStrictJwt } from '../adapters/strict-jwt.js';

export interface DpopOptions {
  /** Refuses tokens that are bound to no key. Default false: they are accepted beside bound ones. */
  readonly required?: boolean;
  /** The accepted algorithms of proofs. Default ES256, ES384, PS256, RS256, EdDSA. */
  readonly algorithms?: readonly string[];
  /** How old a proof may be. Default 60 seconds. More than 0. */
  readonly maxAge?: Duration;
  /** How far two clocks may differ. Default 5 seconds. 0: not at all. */
  readonly clockTolerance?: Duration;
  /** Wants a nonce of this server in each proof, so that nobody can make proofs for later. Default false. */
  readonly nonce?: boolean;
}

const { duration, durationFromZero, flag, listOf, oneOf } = optionRules;
const ALGORITHMS = ['ES256', 'ES384', 'PS256', 'RS256', 'EdDSA'];

const dpopOptions = {
  required: { ...flag, default: false },
  algorithms: { ...listOf('a list of algorithms', oneOf(...ALGORITHMS)), default: ALGORITHMS },
  maxAge: { ...duration, default: '60s' },
  clockTolerance: { ...durationFromZero, default: '5s' },
  nonce: { ...flag, default: false },
} satisfies OptionSchema<DpopOptions>;

/** What is used of a server. */
interface Served {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly claims: ClaimStore;
}

/** A request with a valid token that is bound to a key. */
interface Sender {
  readonly request: IncomingMessage | Request;
  readonly token: string;
  readonly thumbprint: string;
  readonly resource: string;
}

/** Why a sender is refused, in the words of `@toolwright/http`. */
export interface ProofRefusal {
  readonly reason: 'proof' | 'replay' | 'nonce' | 'unavailable';
  readonly error?: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A check for the option `proofs` of `oauthResourceServer`. */
export interface DpopProofs {
  readonly confirms: 'jkt';
  readonly scheme: 'DPoP';
  readonly required: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly challenge: { readonly algs: string };
  serve(server: Served): void;
  check(sender: Sender): Promise<ProofRefusal | undefined>;
}

/** Real ones have 22 to 43 letters. */
const LONGEST_ID = 256;

/**
 * Checks proofs of possession (DPoP, RFC 9449): the sender of a token signs each request with the key that the token is
 * bound to. `dpop: 'accepted'` and `dpop: 'required'` of `oauthResourceServer` are this check with its defaults. A proof
 * works once: the claim store of the server remembers it, for all processes of a fleet.
 *
 * @throws {ConfigurationError} for options that are unknown or of the wrong type
 * @example
 * oauthResourceServer({ resource, issuers, proofs: [dpopProofs({ required: true, nonce: true })] });
 */
export function dpopProofs(given: DpopOptions = {}): DpopProofs {
  const options = parseOptions('dpopProofs', dpopOptions, given);
  const { required, algorithms, nonce } = options;
  const rules = {
    algorithms: [...algorithms],
    clockTolerance: options.clockTolerance / 1_000,
    maxTokenAge: options.maxAge / 1_000,
  };
  let served: (Served & { readonly nonces: DpopNonces | undefined }) | undefined;
  return {
    confirms: 'jkt',
    scheme: 'DPoP',
    required,
    metadata: {
      dpop_signing_alg_values_supported: algorithms,
      ...(required && { dpop_bound_access_tokens_required: true }),
    },
    challenge: { algs: algorithms.join(' ') },
    serve({ clock, logger, claims }) {
      served = { clock, logger, claims, nonces: nonce ? new DpopNonces({ clock, claims }) : undefined };
    },
    async check(sender) {
      if (!served)
        throw new Error(
          'DPoP needs the claim store of an endpoint. Pass `oauth` to the endpoint as a whole.',
        );
      const { clock, logger, claims, nonces } = served;
      const payload = await readProof(sender, { ...rules, currentDate: new Date(clock.now()) });
      if (typeof payload === 'string') return refusal(payload);
      try {
        if (nonces && !(await nonces.knows(payload['nonce']))) return needsNonce(await nonces.current());
        // The clock of another process may be behind by the tolerance, and that process would take the proof until then.
        const ends = payload.iat! * 1_000 + options.maxAge + 2 * options.clockTolerance;
        const key = `dpop ${hash('sha256', `${sender.thumbprint} ${payload.jti}`, 'base64url')}`;
        const owner = { anonymous: false, key: `dpop ${sender.thumbprint}` };
        const isFirst = await claims.claim(key, Math.max(1_000, ends - clock.now()), owner);
        return isFirst ? undefined : { ...refusal('The proof was used before.'), reason: 'replay' };
      } catch (error) {
        const message = 'The claim store cannot say whether a DPoP proof was used before';
        logger.error({ err: error }, `${message}, so its sender is refused.`);
        return { reason: 'unavailable', message };
      }
    },
  };
}

const refusal = (message: string): ProofRefusal => ({
  reason: 'proof',
  error: 'invalid_dpop_proof',
  message,
});

const needsNonce = (nonce: string): ProofRefusal => ({
  reason: 'nonce',
  error: 'use_dpop_nonce',
  message: 'The proof needs a nonce of this server.',
  headers: { 'DPoP-Nonce': nonce },
});

interface Rules {
  readonly algorithms: string[];
  readonly clockTolerance: number;
  readonly maxTokenAge: number;
  readonly currentDate: Date;
}

/** The claims of a proof that is signed by the right key, for this request and this token; or what is wrong with it. */
async function readProof(
  { request, token, thumbprint, resource }: Sender,
  rules: Rules,
): Promise<JWTPayload | string> {
  const proof = headerOf(request, 'dpop');
  // Something in front may have looked at the other one of two proofs.
  if (proof === undefined || isRepeated(request, 'dpop')) return 'The request needs one DPoP header.';
  const payload = await verifyProof(proof, thumbprint, rules);
  if (!payload) return 'The proof is not valid, is too old, or is not signed by the key of the token.';
  const { jti, htm, htu, ath } = payload;
  if (htm !== request.method || !isSameUrl(htu, resource)) return 'The proof is for another request.';
  if (ath !== hash('sha256', token, 'base64url')) return 'The proof is for another token.';
  if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_ID) return 'The proof has no usable jti.';
  return payload;
}

async function verifyProof(proof: string, thumbprint: string, rules: Rules): Promise<JWTPayload | undefined> {
  const { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } = await import('jose');
  try {
    // The embedded key must be a public one: jose refuses private and symmetric keys.
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      ...rules,
      typ: 'dpop+jwt',
      requiredClaims: ['jti', 'htm', 'htu', 'ath', 'iat'],
    });
    const isOfKey = (await calculateJwkThumbprint(protectedHeader.jwk!, 'sha256')) === thumbprint;
    return isOfKey && isStrictJwt(proof) ? payload : undefined;
  } catch {
    return undefined;
  }
}

/** Query and fragment do not count (RFC 9449, section 4.3), and neither does a slash at the end. */
function isSameUrl(htu: unknown, resource: string): boolean {
  return (
    typeof htu === 'string' && readUrl(htu) !== undefined && withoutQuery(htu) === withoutQuery(resource)
  );
}

function withoutQuery(text: string): string {
  const url = new URL(text);
  url.search = '';
  url.hash = '';
  return url.href.replace(/\/$/, '');
}
