// The web-standard part of the package. It loads no node:http.
export type { ChallengeForm, ChallengeParameters } from './endpoint/bearer.js';
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
