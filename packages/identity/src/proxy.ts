export {
  openAuthorizationProxy,
  type AuthorizationProxy,
  type ProxyHandler,
} from './proxy/authorization-proxy.js';
export type {
  AuthorizationProxyOptions,
  ProxyClient,
  ProxyUser,
  UpstreamIssuer,
} from './proxy/proxy-options.js';
