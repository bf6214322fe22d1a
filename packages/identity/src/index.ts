export { approvalPage, extension } from './approval/extension.js';
export type { ApprovalsOptions } from './approval/approval-options.js';
export type { TokenChecker } from './pages/sign-in.js';
export type { Authenticated } from './adapters/authenticated.js';
export { sessionPrincipal, type SessionPrincipalOptions } from './adapters/session-principal.js';
export { trustedProxy, type TrustedProxyOptions } from './adapters/trusted-proxy.js';
export { apiKeys, type ApiKeys, type ApiKeysOptions, type NewKeyOptions } from './keys/api-keys.js';
export type { ApiKey, NewApiKey } from './keys/api-key-records.js';
