export {
  openAuthorizationProxy,
  type AuthorizationProxy,
  type ProxyHandler,
} from './proxy/authorization-proxy.js';
export type { ProxyLimits } from './proxy/request-limits.js';
export type {
  AuthorizationProxyOptions,
  ProxyClient,
  ProxyUser,
  UpstreamIssuer,
} from './proxy/proxy-options.js';
