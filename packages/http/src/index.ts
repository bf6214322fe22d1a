export type { ChallengeForm, ChallengeParameters } from './endpoint/bearer.js';
export type {
  ExchangeRule,
  GrantsOptions,
  SignInPageOptions,
  TokenForOptions,
} from '@toolwright/core/options';
export type { OAuthResourceServerOptions } from './auth/oauth-options.js';
export { oauthResourceServer } from './auth/oauth-resource-server.js';
export type { OAuthResourceServer, ProofServer } from './endpoint/resource-server.js';
export type { ProofFailure, TokenProof, TokenSender } from './auth/token-proof.js';
export type { FetchDocument, TokenClaims, TokenPrincipal, TrustedIssuer } from './auth/trusted-issuer.js';
export type {
  Authenticate,
  Authentication,
  AuthenticationFailure,
  Challenge,
} from './endpoint/authentication.js';
export type { HttpServed } from './endpoint/open-endpoint.js';
export type { EndpointOptions } from './endpoint/options.js';
export type { McpFetchOptions } from './fetch/mcp-fetch.js';
export { healthResponse, readyResponse } from './fetch/mcp-fetch.js';
export { mcpFetch, type FetchHandler } from './fetch/mcp-fetch.js';
export { drainOnSignal, type DrainedApp, type DrainOnSignalOptions } from './node/drain-on-signal.js';
export { mcpHttpOptions, type McpHttpOptions } from './node/serve-http.js';
export { mcpHealth } from './node/mcp-health.js';
export { mcpHttp } from './node/serve-http.js';
export { mcpReady, type McpReadyOptions, type ReadyHandler } from './node/mcp-health.js';
export type { McpHandler } from './node/node-exchange.js';
export { serveHealth, type HealthService, type ServeHealthOptions } from './node/serve-health.js';
export { serveHttp, type HttpService, type ServeHttpOptions } from './node/serve-http.js';
export type { HttpServedAlone } from './node/server-life.js';
