import { jsonConfig } from '../config-text.js';
import { isRemote } from '../host-server.js';
import type { Host } from '../host.js';
import { expandedBy, present } from '../secret-values.js';
import { envOptions, headerOptions, shellLine } from '../shell-words.js';

const refer = (variable: string) => `\${${variable}}`;

export const claudeCode: Host = {
  id: 'claude-code',
  title: 'Claude Code',
  source: 'https://code.claude.com/docs/en/mcp',
  file: {
    darwin: '~/.claude.json',
    win32: '~\\.claude.json',
    linux: '~/.claude.json',
    folderVariable: 'CLAUDE_CONFIG_DIR',
  },
  setUp(server) {
    const { name } = server;
    const path = ['mcpServers', name];
    if (isRemote(server)) {
      const { url } = server;
      const headers = expandedBy(server.headers, refer);
      // The option takes several values, so it stands last.
      const options = headerOptions(headers);
      return {
        command: shellLine(['claude', 'mcp', 'add', '--transport', 'http', name, url, ...options]),
        config: jsonConfig(path, present({ type: 'http', url, headers })),
      };
    }
    const { command, args = [] } = server;
    const env = expandedBy(server.env, refer);
    const options = envOptions(env);
    return {
      // An option that takes one value stands between those of --env, which takes several, and the name.
      command: shellLine([
        'claude',
        'mcp',
        'add',
        ...options,
        '--transport',
        'stdio',
        name,
        '--',
        command,
        ...args,
      ]),
      config: jsonConfig(path, present({ type: 'stdio', command, args, env })),
    };
  },
};
