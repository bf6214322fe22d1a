import { asciiJson, jsonConfig } from '../config-text.js';
import { isRemote } from '../host-server.js';
import type { Host } from '../host.js';
import { expandedBy, present } from '../secret-values.js';

const refer = (variable: string) => `\${env:${variable}}`;

/** The link: https://cursor.com/docs/context/mcp/install-links */
export const cursor: Host = {
  id: 'cursor',
  title: 'Cursor',
  source: 'https://cursor.com/docs/context/mcp',
  file: {
    darwin: '~/.cursor/mcp.json',
    win32: '~\\.cursor\\mcp.json',
    linux: '~/.cursor/mcp.json',
  },
  setUp(server) {
    const { name } = server;
    const entry = isRemote(server)
      ? present({ url: server.url, headers: expandedBy(server.headers, refer) })
      : present({ command: server.command, args: server.args, env: expandedBy(server.env, refer) });
    const query = `name=${encodeURIComponent(name)}&config=${encodeURIComponent(btoa(asciiJson(entry)))}`;
    return {
      link: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
      config: jsonConfig(['mcpServers', name], entry),
    };
  },
};
