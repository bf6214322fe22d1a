export { DevIssuerError, identityErrorCatalogue, type IdentityErrorCode } from './dev/dev-issuer-error.js';
export { startDevIssuer, type DevIssuer, type DevIssuerOptions, type TokenWish } from './dev/dev-issuer.js';
export type { DevIssuerClient } from './dev/provider-settings.js';
export { defaultTestUsers, readTestUsers, type TestUser } from './dev/test-users.js';
