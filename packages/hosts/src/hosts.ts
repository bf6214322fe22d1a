import { type HostRow, type HostServer, type HostSetup, isRemote } from './host.js';
import { table } from './table.js';

export type HostId = (typeof table)[number]['id'];

/** A program that uses MCP servers. */
export interface Host extends HostRow<HostId> {
  readonly id: HostId;
}

/** As Claude Code allows names; the other hosts allow more. */
const REFUSED = /[^A-Za-z0-9_-]+/g;
const LONGEST = 64;

/** Programs that use MCP servers, as their documentation described them in November 2026. */
export const hosts: readonly Host[] = table.map((host) => ({
  ...host,
  setUp: (server) => host.setUp(checked(server)),
}));

const byId = new Map(hosts.map((host) => [host.id as string, host]));

/** The host with this id; `undefined` if there is none. */
export function findHost(id: string): Host | undefined {
  return byId.get(id);
}

/**
 * The ways to add a server to a host.
 *
 * @throws {TypeError} if the URL of the server is neither http nor https
 * @example
 * setUpHost('vscode', { name: 'notes', url: 'https://notes.example/mcp' }).link;
 */
export function setUpHost(id: HostId, server: HostServer): HostSetup {
  return byId.get(id)!.setUp(server);
}

/** `URL.canParse` of Node.js 20 refuses letters such as ä when it was called some thousand times. */
function read(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/** The server with a name that all hosts take, and with its URL in the usual form. */
function checked(server: HostServer): HostServer {
  const name = nameForHosts(server.name);
  if (!isRemote(server)) return { ...server, name };
  const url = read(server.url);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `The URL of a server begins with http:// or https://, unlike ${JSON.stringify(server.url)}.`,
    );
  return { ...server, name, url: url.href };
}

/** The name under which hosts know a server: letters, digits, `_` and `-`. `@acme/notes` becomes `acme-notes`. */
export function nameForHosts(name: string): string {
  const cleaned = name
    .replace(REFUSED, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return cleaned || 'server';
}
