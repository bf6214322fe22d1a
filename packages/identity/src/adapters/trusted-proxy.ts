import type { IncomingMessage } from 'node:http';
import type { Principal } from '@toolwright/core';
import { type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import type { JWTPayload } from 'jose';
import { challenge, type Authenticated, headerOf, isRepeated } from './authenticated.js';
import { proxyAddresses } from './proxy-addresses.js';
import { isStrictJwt } from './strict-jwt.js';

export interface TrustedProxyOptions {
  /** The addresses of the proxy, such as `['10.0.0.0/8', '127.0.0.1']`. The header is refused from everywhere else. */
  from: readonly string[];
  /** The secrets that the proxy signs with (HS256), each of at least 32 characters. */
  secrets: readonly string[];
  /** What the proxy writes as `aud`: this endpoint, so that the header of another one is worth nothing here. */
  audience: string;
  /** The header with the signed JWT. Default `x-identity`. */
  header?: string;
  /** Makes the caller of the claims. Default: `sub`, `iss` and `scope`. */
  principal?: (claims: Readonly<Record<string, unknown>>) => Principal;
  /** Authenticates requests without the header, such as `oauth.authenticate`. Default: they are refused. */
  or?: (req: IncomingMessage) => unknown;
}

const { callback, filledText, listOf, required, secrets } = optionRules;

const proxyOptions = {
  from: required(listOf('a list of addresses and networks', filledText)),
  secrets: required(secrets),
  audience: required(filledText),
  header: { ...filledText, default: 'x-identity' },
  principal: callback,
  or: callback,
} satisfies OptionSchema<TrustedProxyOptions>;

/** A header lives as long as a request takes to arrive. */
const LONGEST_LIFE = '2m';

/**
 * Takes the word of a proxy about who calls. The proxy signs a JWT for each request and removes the header from what
 * clients send. Both are checked here: the signature, and that the request comes from the proxy.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @throws {TypeError} for a text that is neither an address nor a network
 * @example
 * serveHttp(server, { authenticate: trustedProxy({ from: ['10.0.0.0/8'], secrets, audience: 'https://api.example.com/mcp' }) });
 */
export function trustedProxy(given: TrustedProxyOptions): (req: IncomingMessage) => Promise<Authenticated> {
  const {
    from,
    secrets: list,
    audience,
    header,
    principal = principalOf,
    or,
  } = parseOptions('trustedProxy', proxyOptions, given);
  const isFromProxy = proxyAddresses(from, 'trustedProxy.from');
  const name = header.toLowerCase();
  const keys = list.map((secret) => new TextEncoder().encode(secret));
  return async (req) => {
    const token = headerOf(req, name);
    if (token === undefined)
      return or ? ((await or(req)) as Authenticated) : challenge(401, 'missing', 'Call through the proxy.');
    if (!isFromProxy(req))
      return challenge(403, 'claims', `The header ${header} is not accepted from this address.`);
    if (isRepeated(req, name)) return challenge(400, 'malformed', `Send the header ${header} once.`);
    const claims = await verify(token, keys, audience);
    if (typeof claims === 'string') return challenge(401, claims, `The header ${header} is not valid.`);
    return { principal: principal({ ...claims }) };
  };
}

async function verify(
  token: string,
  keys: readonly Uint8Array[],
  audience: string,
): Promise<JWTPayload | 'signature' | 'expired' | 'claims'> {
  const { jwtVerify, errors } = await import('jose');
  let failure: 'signature' | 'expired' | 'claims' = 'signature';
  for (const key of keys) {
    try {
      const rules = {
        algorithms: ['HS256'],
        audience,
        maxTokenAge: LONGEST_LIFE,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: 5,
      };
      const { payload } = await jwtVerify(token, key, rules);
      // Who has no name would be one caller with everybody else who has none.
      const isNamed = typeof payload.sub === 'string' && payload.sub !== '';
      return isNamed && isStrictJwt(token) ? payload : 'claims';
    } catch (error) {
      if (error instanceof errors.JWTExpired) failure = 'expired';
      else if (error instanceof errors.JWTClaimValidationFailed) failure = 'claims';
    }
  }
  return failure;
}

function principalOf(claims: Readonly<Record<string, unknown>>): Principal {
  const { sub, iss, scope } = claims;
  const scopes = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [];
  return { ...(typeof iss === 'string' && { issuer: iss }), subject: sub as string, scopes, claims };
}
