import type { HostServer } from '@toolwright/http/hosts';
import type { Overview, ServerSummary } from '../../../../src/api/overview-api.js';

export type Transport = 'http' | 'stdio';

interface Choices {
  readonly overview: Overview;
  readonly transport: Transport;
  readonly needsToken: boolean;
}

/** The server as a host is told of it. A token never stands in a setting: a variable names it. */
export function serverFor(server: ServerSummary, { overview, transport, needsToken }: Choices): HostServer {
  const { name, title } = server;
  const known = { name, ...(title !== undefined && { description: title }) };
  const { endpoint = '', command } = overview;
  if (transport === 'stdio' && command) return { ...known, command: command.program, args: command.args };
  if (!needsToken) return { ...known, url: endpoint };
  const variable = `${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN`;
  return { ...known, url: endpoint, headers: { Authorization: { before: 'Bearer ', variable } } };
}
