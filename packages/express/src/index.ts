export { mcpExpress } from './mcp-express.js';
// These exports stay for one minor version. They were part of this package before `@toolwright/http` existed.
export {
  /** @deprecated Import it from `@toolwright/http`. */
  mcpHealth,
  /** @deprecated Import it from `@toolwright/http`. */
  oauthResourceServer,
  /** @deprecated Import it from `@toolwright/http`. */
  serveHttp,
  /** @deprecated Import it from `@toolwright/http`. */
  type Authenticate,
  /** @deprecated Import it from `@toolwright/http`. */
  type Authentication,
  /** @deprecated Import it from `@toolwright/http`. */
  type AuthenticationFailure,
  /** @deprecated Import it from `@toolwright/http`. */
  type Challenge,
  /** @deprecated Import it from `@toolwright/http`. */
  type HttpServed,
  /** @deprecated Import it from `@toolwright/http`. */
  type HttpService,
  /** @deprecated Import it from `@toolwright/http`. */
  type McpHandler,
  /** @deprecated Import it from `@toolwright/http`. */
  type McpHttpOptions,
  /** @deprecated Import it from `@toolwright/http`. */
  type OAuthResourceServer,
  /** @deprecated Import it from `@toolwright/http`. */
  type OAuthResourceServerOptions,
  /** @deprecated Import it from `@toolwright/http`. */
  type ServeHttpOptions,
  /** @deprecated Import it from `@toolwright/http`. */
  type TrustedIssuer,
} from '@toolwright/http';
