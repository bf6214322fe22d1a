export type {
  HostConfig,
  HostFile,
  HostInput,
  HostRow,
  HostServer,
  HostSetup,
  HostValue,
  LocalServer,
  RemoteServer,
  SecretValue,
} from './host.js';
export type { HostLimits } from './host-limits.js';
export { findHost, type Host, type HostId, hosts, nameForHosts, setUpHost } from './hosts.js';
