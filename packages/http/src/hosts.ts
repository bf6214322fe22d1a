// Which programs use MCP servers, and how each is told of one. It imports nothing, so it also works in a browser.
export type { HostServer, HostValue, LocalServer, RemoteServer, SecretValue } from './hosts/host-server.js';
export type { Host, HostConfig, HostFile, HostId, HostInput, HostSetup } from './hosts/host.js';
export { findHost, hosts, setUpHost } from './hosts/hosts.js';
export { nameForHosts } from './hosts/name-for-hosts.js';
