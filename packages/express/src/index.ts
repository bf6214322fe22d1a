export type { OAuthResourceServerOptions, TrustedIssuer } from './auth/oauth-options.js';
export { oauthResourceServer, type OAuthResourceServer } from './auth/oauth-resource-server.js';
export type { Authenticate, Authentication, AuthenticationFailure, Challenge } from './authentication.js';
export { mcpExpress, type HttpServed, type McpHandler } from './mcp-express.js';
export { mcpHealth } from './mcp-health.js';
export type { McpHttpOptions } from './options.js';
export { serveHttp, type HttpService, type ServeHttpOptions } from './serve-http.js';
