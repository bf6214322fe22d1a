import { isRemote, type HostServer } from './host-server.js';
import type { Host, HostId, HostSetup } from './host.js';
import { nameForHosts } from './name-for-hosts.js';
import { chatGpt } from './table/chatgpt.js';
import { claudeAi } from './table/claude-ai.js';
import { claudeCode } from './table/claude-code.js';
import { claudeDesktop } from './table/claude-desktop.js';
import { codex } from './table/codex.js';
import { cursor } from './table/cursor.js';
import { gemini } from './table/gemini.js';
import { goose } from './table/goose.js';
import { vsCode } from './table/vscode.js';
import { windsurf } from './table/windsurf.js';
import { zed } from './table/zed.js';

// prettier-ignore
const table = [
  claudeDesktop, claudeCode, vsCode, cursor, windsurf, codex, gemini, goose, zed, chatGpt, claudeAi,
];

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
 * How a host is told of a server.
 *
 * @throws {TypeError} if the URL of the server is neither http nor https
 * @example
 * setUpHost('vscode', { name: 'notes', url: 'https://notes.example/mcp' }).link;
 */
export function setUpHost(id: HostId, server: HostServer): HostSetup {
  return byId.get(id)!.setUp(server);
}

/** The server with a name that all hosts take, and with its URL in the usual form. */
function checked(server: HostServer): HostServer {
  const name = nameForHosts(server.name);
  if (!isRemote(server)) return { ...server, name };
  const url = URL.canParse(server.url) ? new URL(server.url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `The URL of a server begins with http:// or https://, unlike ${JSON.stringify(server.url)}.`,
    );
  return { ...server, name, url: url.href };
}
