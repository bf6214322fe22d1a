import { jsonConfig } from '../config-text.js';
import { isRemote } from '../host-server.js';
import type { Host } from '../host.js';
import { expandedBy, present } from '../secret-values.js';

const refer = (variable: string) => `\${env:${variable}}`;

export const windsurf: Host = {
  id: 'windsurf',
  title: 'Windsurf',
  source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
  file: {
    darwin: '~/.codeium/windsurf/mcp_config.json',
    win32: '~\\.codeium\\windsurf\\mcp_config.json',
    linux: '~/.codeium/windsurf/mcp_config.json',
  },
  setUp(server) {
    const entry = isRemote(server)
      ? present({ serverUrl: server.url, headers: expandedBy(server.headers, refer) })
      : present({ command: server.command, args: server.args, env: expandedBy(server.env, refer) });
    return { config: jsonConfig(['mcpServers', server.name], entry) };
  },
};
