export type { OAuthResourceServerOptions, TrustedIssuer } from './auth/oauth-options.js';
export { oauthResourceServer, type OAuthResourceServer } from './auth/oauth-resource-server.js';
export type { Authenticate, Authentication, AuthenticationFailure, Challenge } from './authentication.js';
export { mcpHealth } from './mcp-health.js';
export { mcpHttp, type HttpServed, type McpHandler } from './mcp-http.js';
export { mcpReady, type McpReadyOptions, type ReadyHandler } from './mcp-ready.js';
export { mcpHttpOptions, type McpHttpOptions } from './options.js';
export { serveHttp, type HttpServedAlone, type HttpService, type ServeHttpOptions } from './serve-http.js';
