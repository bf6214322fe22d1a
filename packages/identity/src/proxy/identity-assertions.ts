import type { KoaContextWithOIDC, Provider, errors as Errors } from 'oidc-provider';
import { getOrMake } from '@toolwright/json';
import { connectToIssuer, connectionForPage } from '../issuers/connect-to-issuer.js';
import { addOwnGrant } from '../dev/own-grant.js';
import { isStrictJwt } from '../adapters/strict-jwt.js';
import type { ProviderRecords } from './provider-records.js';
import { accountSeconds, type ProxySettings, type ProxyUser, resourceNamed } from './proxy-options.js';
import { JWT_BEARER, resourceServerOf } from './provider-settings.js';

/** The header `typ` of an identity assertion. */
const ID_JAG = 'oauth-id-jag+jwt';

/** An assertion is made for one request. */
const LONGEST_LIFE_SECONDS = 600;

interface Assertion {
  readonly iss: string;
  readonly sub: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: number;
  readonly client_id: string;
  readonly scope?: unknown;
  readonly resource?: unknown;
  readonly [claim: string]: unknown;
}

export interface IdentityAssertionParts {
  readonly provider: Provider;
  readonly errors: typeof Errors;
  readonly settings: ProxySettings;
  readonly records: ProviderRecords;
}

/**
 * Exchanges an identity assertion (ID-JAG) of a trusted issuer for an access token: enterprise-managed authorization, where
 * the administrator has consented and the person sees no page.
 */
export function addIdentityAssertions({ provider, errors, settings, records }: IdentityAssertionParts): void {
  const { InvalidClient, InvalidGrant, InvalidTarget } = errors;
  const verify = assertionVerifier(settings);
  const exchange = async (ctx: KoaContextWithOIDC): Promise<void> => {
    const { params = {}, client } = ctx.oidc;
    if (client!.clientAuthMethod === 'none')
      throw new InvalidClient('a client needs a secret for identity assertions');
    const claims = await verify(String(params['assertion'] ?? '')).catch((error: Error) => {
      throw new InvalidGrant(`the identity assertion is not accepted: ${error.message}`);
    });
    if (claims.client_id !== client!.clientId)
      throw new InvalidGrant('the identity assertion is for another client');
    const asked = String(claims.resource ?? params['resource'] ?? Object.keys(settings.resources)[0]);
    const resource = resourceNamed(asked, settings.resources);
    if (resource === undefined) throw new InvalidTarget('this server gives no tokens for that resource');
    await useOnce(claims);
    const isOwn = claims.iss === settings.upstream.issuer;
    const user: ProxyUser = {
      issuer: claims.iss,
      subject: isOwn ? claims.sub : `${claims.iss}#${claims.sub}`,
      claims,
    };
    const known = settings.resources[resource]!;
    const allowed = await settings.scopesOf(user);
    const listed = typeof claims.scope === 'string' ? claims.scope.split(' ') : known;
    const wanted = typeof params['scope'] === 'string' ? params['scope'].split(' ') : listed;
    const scope = known
      .filter((each) => allowed.includes(each) && listed.includes(each) && wanted.includes(each))
      .join(' ');
    await records.set('Account', user.subject, { user, scopes: allowed }, accountSeconds(settings));
    const grant = new provider.Grant({ accountId: user.subject, clientId: client!.clientId });
    if (scope !== '') grant.addResourceScope(resource, scope);
    const token = new provider.AccessToken({
      accountId: user.subject,
      client: client!,
      grantId: await grant.save(),
      gty: 'jwt_bearer',
      ...(scope !== '' && { scope }),
    } as never);
    Object.assign(token, {
      resourceServer: Object.assign(resourceServerOf(resource, settings), { identifier: () => resource }),
    });
    ctx.oidc.entity('AccessToken', token);
    const value = await token.save();
    ctx.body = { access_token: value, expires_in: token.expiration, token_type: 'Bearer', scope };
  };
  const useOnce = async ({ iss, jti, exp }: Assertion): Promise<void> => {
    const isNew = await provider.ReplayDetection.unique(iss, jti, exp);
    if (!isNew) throw new InvalidGrant('the identity assertion was used before');
  };
  addOwnGrant(provider, errors, {
    type: JWT_BEARER,
    clients: settings.clients.map(({ client_id: id }) => id),
    parameters: ['assertion', 'scope', 'resource'],
    answer: exchange,
  });
}

/** Checks signature, type, audience and times. */
function assertionVerifier({ issuer, identityAssertions }: ProxySettings) {
  type KeySet = ReturnType<typeof import('jose').createRemoteJWKSet>;
  const keySets = new Map<string, Promise<KeySet>>();
  return async (assertion: string): Promise<Assertion> => {
    const jose = await import('jose');
    const { iss } = jose.decodeJwt(assertion);
    if (iss === undefined || !identityAssertions.includes(iss)) throw new Error('its issuer is not trusted');
    const keys = getOrMake(keySets, iss, () => findKeys(iss));
    keys.catch(() => keySets.delete(iss));
    const { payload } = await jose.jwtVerify(assertion, await keys, {
      issuer: iss,
      audience: issuer,
      typ: ID_JAG,
      requiredClaims: ['sub', 'jti', 'iat', 'exp', 'client_id'],
      maxTokenAge: LONGEST_LIFE_SECONDS,
      clockTolerance: 5,
      algorithms: ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA', 'Ed25519'],
    });
    if (!isStrictJwt(assertion)) throw new Error('it is padded, or has a member twice');
    if (payload.exp! - payload.iat! > LONGEST_LIFE_SECONDS) throw new Error('it lives too long');
    if (!isFilledText(payload.sub) || !isFilledText(payload.jti))
      throw new Error('its sub and jti must be texts');
    return payload as unknown as Assertion;
  };
}

const isFilledText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The keys of an issuer, by its metadata. */
async function findKeys(issuer: string) {
  const configuration = await connectToIssuer(connectionForPage({ issuer, clientId: 'unused' }));
  const jose = await import('jose');
  return jose.createRemoteJWKSet(new URL(configuration.serverMetadata().jwks_uri!));
}
