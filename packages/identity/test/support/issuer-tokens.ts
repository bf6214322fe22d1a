import {
  auth0,
  cognito,
  entraId,
  google,
  keycloak,
  kubernetes,
  okta,
  spiffe,
  type FetchDocument,
  type IssuerPreset,
} from '../../src/index.js';

// Tokens as the usual issuers sign them.

export const resource = 'https://api.example.com/mcp';
export const TENANT = '11111111-1111-4111-8111-111111111111';
export const OTHER_TENANT = '22222222-2222-4222-8222-222222222222';
export const APP = '33333333-3333-4333-8333-333333333333';

export type Claims = Record<string, unknown>;

export interface Kind {
  readonly preset: (fetch: FetchDocument) => IssuerPreset;
  readonly claims: Claims;
  /** What a caller with the token is. */
  readonly caller: object;
  /** Members of the header; default `typ: 'JWT'`. */
  readonly header?: Claims;
  /** The ID token that the same issuer signs for the same audience, or another token that is no access token. */
  readonly otherTokens: readonly Claims[];
  /** The claim that names the caller, and the reason without it. */
  readonly subject: readonly [claim: string, reason: string];
  /** How a token without an audience is judged. */
  readonly withoutAudience?: string;
  /** Further tokens that must be refused, each with its reason. */
  readonly refused?: readonly (readonly [what: string, claims: Claims, reason: string])[];
}

const entra = { oid: 'o-1', sub: 'pairwise', tid: TENANT, scp: 'read write', roles: ['Admin'] };
const v2 = { ...entra, iss: `https://login.microsoftonline.com/${TENANT}/v2.0`, aud: APP, ver: '2.0' };
export const entraV2 = { ...v2, azp: 'client', azpacr: '0' };

export const kinds: Record<string, Kind> = {
  'Entra ID v2': {
    preset: (fetch) => entraId({ tenant: TENANT, clientId: APP, fetch }),
    claims: entraV2,
    caller: { subject: 'o-1', clientId: 'client', scopes: ['read', 'write'] },
    otherTokens: [{ ...v2, scp: undefined }, { ...v2, scp: undefined, azp: 'client' }, v2],
    subject: ['oid', 'subject'],
    refused: [
      ['of another tenant', { tid: OTHER_TENANT, iss: v2.iss.replace(TENANT, OTHER_TENANT) }, 'issuer'],
      ['whose tenant is not that of its issuer', { tid: OTHER_TENANT }, 'issuer'],
      ['of version 1', { ver: '1.0' }, 'type'],
      ['without permissions', { scp: undefined, roles: undefined }, 'type'],
      ['with the literal tenant', { iss: 'https://login.microsoftonline.com/{tenantid}/v2.0' }, 'issuer'],
    ],
  },
  'Entra ID v1': {
    preset: (fetch) => entraId({ tenant: TENANT, clientId: APP, version: 1, fetch }),
    claims: {
      ...entra,
      scp: undefined,
      iss: `https://sts.windows.net/${TENANT}/`,
      aud: `api://${APP}`,
      ver: '1.0',
      appid: 'client',
      appidacr: '1',
    },
    caller: { subject: 'o-1', clientId: 'client', scopes: ['Admin'] },
    otherTokens: [{ ...v2, iss: `https://sts.windows.net/${TENANT}/`, ver: '1.0', scp: undefined }],
    subject: ['oid', 'subject'],
    refused: [['of version 2', { iss: v2.iss, ver: '2.0' }, 'issuer']],
  },
  'Entra ID of several tenants': {
    preset: (fetch) => entraId({ tenant: 'organizations', tenants: [TENANT], clientId: APP, fetch }),
    claims: entraV2,
    caller: { issuer: v2.iss, subject: 'o-1' },
    otherTokens: [{ ...v2, scp: undefined }],
    subject: ['oid', 'subject'],
    refused: [
      [
        'of a tenant off the list',
        { tid: OTHER_TENANT, iss: v2.iss.replace(TENANT, OTHER_TENANT) },
        'issuer',
      ],
      ['without a tenant', { tid: undefined }, 'issuer'],
      ['with a list of tenants', { tid: [TENANT] }, 'issuer'],
    ],
  },
  Auth0: {
    preset: (fetch) => auth0({ domain: 'shop.eu.auth0.com', fetch }),
    claims: {
      iss: 'https://shop.eu.auth0.com/',
      sub: 'auth0|1',
      azp: 'client',
      scope: 'openid read',
      aud: [resource, 'https://shop.eu.auth0.com/userinfo'],
    },
    caller: { subject: 'auth0|1', clientId: 'client', scopes: ['openid', 'read'] },
    otherTokens: [
      { iss: 'https://shop.eu.auth0.com/', sub: 'auth0|1', aud: resource, email: 'a@example.com' },
      { iss: 'https://shop.eu.auth0.com/', sub: 'auth0|1', aud: resource, sid: 's', azp: 'client' },
    ],
    subject: ['sub', 'subject'],
  },
  Keycloak: {
    preset: (fetch) =>
      keycloak({
        url: 'https://login.example.com/',
        realm: 'shop',
        realmRoles: true,
        clientRoles: ['api'],
        fetch,
      }),
    claims: {
      iss: 'https://login.example.com/realms/shop',
      sub: 'k-1',
      typ: 'Bearer',
      azp: 'client',
      aud: ['account', resource],
      scope: 'profile read',
      realm_access: { roles: ['staff'] },
      resource_access: { api: { roles: ['write'] }, account: { roles: ['manage-account'] } },
    },
    caller: { subject: 'k-1', clientId: 'client', scopes: ['profile', 'read', 'staff', 'write'] },
    otherTokens: ['ID', 'Refresh', 'Offline', 'Logout', undefined].map((typ) => ({
      iss: 'https://login.example.com/realms/shop',
      sub: 'k-1',
      aud: resource,
      azp: 'client',
      typ,
    })),
    subject: ['sub', 'subject'],
    refused: [['of another realm', { iss: 'https://login.example.com/realms/other' }, 'issuer']],
  },
  Okta: {
    preset: (fetch) => okta({ domain: 'shop.okta.com', fetch }),
    claims: {
      iss: 'https://shop.okta.com/oauth2/default',
      aud: 'api://default',
      sub: 'ann@example.com',
      uid: 'u-1',
      cid: 'client',
      scp: ['openid', 'read'],
      ver: 1,
    },
    caller: { subject: 'u-1', clientId: 'client', scopes: ['openid', 'read'] },
    otherTokens: [
      { iss: 'https://shop.okta.com/oauth2/default', aud: 'api://default', sub: 'u-1', ver: 1, amr: ['pwd'] },
    ],
    subject: ['uid', 'subject'],
    refused: [['of the organization', { iss: 'https://shop.okta.com' }, 'issuer']],
  },
  Cognito: {
    preset: (fetch) =>
      cognito({ region: 'eu-west-1', userPoolId: 'eu-west-1_x', clientIds: ['client'], groups: true, fetch }),
    header: { typ: undefined },
    claims: {
      iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_x',
      sub: 'c-1',
      client_id: 'client',
      token_use: 'access',
      scope: 'pages/read',
      'cognito:groups': ['staff'],
    },
    caller: { subject: 'c-1', clientId: 'client', scopes: ['pages/read', 'staff'] },
    otherTokens: [
      {
        iss: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_x',
        sub: 'c-1',
        aud: resource,
        token_use: 'id',
      },
    ],
    subject: ['sub', 'subject'],
    withoutAudience: 'accepted',
    refused: [
      ['of another client', { client_id: 'other' }, 'type'],
      ['of another client with our audience', { client_id: 'other', aud: resource }, 'type'],
      ['without a client', { client_id: undefined }, 'type'],
      ['without its use', { token_use: undefined }, 'type'],
    ],
  },
  Google: {
    preset: (fetch) =>
      google({ serviceAccounts: ['jobs@shop.iam.gserviceaccount.com'], moreScopes: () => ['read'], fetch }),
    claims: {
      iss: 'https://accounts.google.com',
      aud: resource,
      sub: '1234',
      azp: '1234',
      email: 'jobs@shop.iam.gserviceaccount.com',
      email_verified: true,
    },
    caller: { subject: '1234', clientId: '1234', scopes: ['read'] },
    otherTokens: [
      {
        iss: 'https://accounts.google.com',
        aud: resource,
        sub: '1',
        email: 'ann@gmail.com',
        email_verified: true,
      },
    ],
    subject: ['sub', 'subject'],
    refused: [
      ['of another account', { email: 'other@shop.iam.gserviceaccount.com' }, 'type'],
      ['whose address is not verified', { email_verified: false }, 'type'],
      ['whose address is verified in words', { email_verified: 'true' }, 'type'],
    ],
  },
  Kubernetes: {
    preset: (fetch) => kubernetes({ serviceAccounts: ['jobs:nightly'], fetch }),
    claims: {
      iss: 'https://kubernetes.default.svc.cluster.local',
      aud: [resource],
      sub: 'system:serviceaccount:jobs:nightly',
      'kubernetes.io': {
        namespace: 'jobs',
        serviceaccount: { name: 'nightly', uid: 'u' },
        pod: { name: 'p' },
      },
    },
    caller: { subject: 'system:serviceaccount:jobs:nightly', scopes: [] },
    otherTokens: [
      { iss: 'https://kubernetes.default.svc.cluster.local', aud: resource, sub: 'system:node:a' },
    ],
    subject: ['sub', 'type'],
    refused: [
      ['whose two names differ', { sub: 'system:serviceaccount:jobs:other' }, 'type'],
      [
        'of another account',
        {
          sub: 'system:serviceaccount:web:nightly',
          'kubernetes.io': { namespace: 'web', serviceaccount: { name: 'nightly' } },
        },
        'type',
      ],
    ],
  },
  SPIFFE: {
    preset: (fetch) =>
      spiffe({
        issuer: 'https://spire.example.org',
        trustDomain: 'example.org',
        workloads: ['/ns/jobs/*'],
        fetch,
      }),
    claims: {
      iss: 'https://spire.example.org',
      aud: [resource],
      sub: 'spiffe://example.org/ns/jobs/sa/nightly',
    },
    caller: { subject: 'spiffe://example.org/ns/jobs/sa/nightly', scopes: [] },
    otherTokens: [{ iss: 'https://spire.example.org', aud: resource, sub: 'ann' }],
    subject: ['sub', 'type'],
    refused: [
      ['of another trust domain', { sub: 'spiffe://example.com/ns/jobs/sa/nightly' }, 'type'],
      ['of a trust domain that begins alike', { sub: 'spiffe://example.org.evil/ns/jobs/x' }, 'type'],
      ['of another path', { sub: 'spiffe://example.org/ns/web/x' }, 'type'],
      ['with a path that leads elsewhere', { sub: 'spiffe://example.org/ns/jobs/../web' }, 'type'],
      ['of the trust domain itself', { sub: 'spiffe://example.org/' }, 'type'],
    ],
  },
};
