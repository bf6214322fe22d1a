export { mcpExpress } from './mcp-express.js';
// A mounted server needs these two, and an app need not install another package for them.
export { drainOnSignal, mcpReady, type DrainedApp, type DrainOnSignalOptions } from '@toolwright/http';
export { mcpHealth, oauthResourceServer, serveHttp } from './deprecated.js';
// These exports stay for one minor version. They were part of this package before `@toolwright/http` existed.
export {
  /** @deprecated Use `Authenticate` of `@toolwright/http`. It goes with 0.3. */
  type Authenticate,
  /** @deprecated Use `Authentication` of `@toolwright/http`. It goes with 0.3. */
  type Authentication,
  /** @deprecated Use `AuthenticationFailure` of `@toolwright/http`. It goes with 0.3. */
  type AuthenticationFailure,
  /** @deprecated Use `Challenge` of `@toolwright/http`. It goes with 0.3. */
  type Challenge,
  /** @deprecated Use `HttpServed` of `@toolwright/http`. It goes with 0.3. */
  type HttpServed,
  /** @deprecated Use `HttpService` of `@toolwright/http`. It goes with 0.3. */
  type HttpService,
  /** @deprecated Use `McpHandler` of `@toolwright/http`. It goes with 0.3. */
  type McpHandler,
  /** @deprecated Use `McpHttpOptions` of `@toolwright/http`. It goes with 0.3. */
  type McpHttpOptions,
  /** @deprecated Use `OAuthResourceServer` of `@toolwright/http`. It goes with 0.3. */
  type OAuthResourceServer,
  /** @deprecated Use `OAuthResourceServerOptions` of `@toolwright/http`. It goes with 0.3. */
  type OAuthResourceServerOptions,
  /** @deprecated Use `ServeHttpOptions` of `@toolwright/http`. It goes with 0.3. */
  type ServeHttpOptions,
  /** @deprecated Use `TrustedIssuer` of `@toolwright/http`. It goes with 0.3. */
  type TrustedIssuer,
} from '@toolwright/http';
