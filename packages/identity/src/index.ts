export { approvalPage, extension } from './approval/extension.js';
export type { ApprovalsOptions, WaitingApproval } from './approval/approval-options.js';
export type { TokenChecker } from './pages/sign-in.js';
export type { Authenticated } from './adapters/authenticated.js';
export { sessionPrincipal, type SessionPrincipalOptions } from './adapters/session-principal.js';
export { trustedProxy, type TrustedProxyOptions } from './adapters/trusted-proxy.js';
export { apiKeys, type ApiKeys, type ApiKeysOptions, type NewKeyOptions } from './keys/api-keys.js';
export type { ApiKey, UserGrant } from '@toolwright/json';
export type { NewApiKey } from './keys/api-key-records.js';
export { auth0, type Auth0Options } from './issuers/auth0.js';
export { cognito, type CognitoOptions } from './issuers/cognito.js';
export { entraId, type EntraIdOptions } from './issuers/entra-id.js';
export { fetchWithCa, type CaOptions } from './issuers/fetch-with-ca.js';
export { google, type GoogleOptions } from './issuers/google.js';
export type { IssuerOptions } from './issuers/issuer-options.js';
export type {
  FetchDocument,
  IntrospectedIssuer,
  IssuerPreset,
  TokenClaims,
  TokenIntrospection,
  TokenPrincipal,
} from './issuers/issuer-preset.js';
export { keycloak, type KeycloakOptions } from './issuers/keycloak.js';
export { kubernetes, type KubernetesOptions } from './issuers/kubernetes.js';
export { okta, type OktaOptions } from './issuers/okta.js';
export { spiffe, type SpiffeOptions } from './issuers/spiffe.js';
export { tokenIntrospection, type TokenIntrospectionOptions } from './introspection/token-introspection.js';
export { exchangeErrorCatalogue, type ExchangeErrorCode } from './exchange/exchange-error.js';
export type { GrantsSetting } from './grants/grants-of-server.js';
export type { PageHandler } from './pages/question-page.js';
export type { Revocation } from './grants/end-grant.js';
export {
  userGrants,
  type RevokeOptions,
  type UserGrants,
  type UserGrantsOptions,
} from './grants/user-grants.js';
export type {
  ExchangeRule,
  GrantsOptions,
  SignInPageOptions,
  TokenForOptions,
} from '@toolwright/core/options';
export { openTokenExchange, type TokenExchange } from './tokens/token-exchange.js';
export { dpopProofs, type DpopOptions, type DpopProofs, type ProofRefusal } from './proofs/dpop-proofs.js';
export {
  clientCertificates,
  type ClientCertificates,
  type ClientCertificatesOptions,
} from './proofs/client-certificates.js';
export { measureTenants, type MeasureTenantsOptions } from './tenants/measure-tenants.js';
