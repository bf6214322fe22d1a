// Which programs use MCP servers, and how a server is added to each. It imports nothing, so it also works in a browser.
export type { HostServer, HostValue, LocalServer, RemoteServer, SecretValue } from '@toolwright/hosts';
export type { Host, HostConfig, HostFile, HostId, HostInput, HostRow, HostSetup } from '@toolwright/hosts';
export { findHost, hosts, nameForHosts, setUpHost } from '@toolwright/hosts';
