import { jsonConfig } from '../config-text.js';
import { isRemote } from '../host-server.js';
import type { Host } from '../host.js';
import { expandedBy, present } from '../secret-values.js';
import { envOptions, headerOptions, shellLine } from '../shell-words.js';

const refer = (variable: string) => `\${${variable}}`;
const add = ['gemini', 'mcp', 'add', '--scope', 'user'];

export const gemini: Host = {
  id: 'gemini',
  title: 'Gemini CLI',
  source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
  file: {
    darwin: '~/.gemini/settings.json',
    win32: '~\\.gemini\\settings.json',
    linux: '~/.gemini/settings.json',
  },
  setUp(server) {
    const { name } = server;
    const path = ['mcpServers', name];
    if (isRemote(server)) {
      const { url } = server;
      const headers = expandedBy(server.headers, refer);
      const options = headerOptions(headers);
      return {
        command: shellLine([...add, '--transport', 'http', ...options, name, url]),
        // `url` would mean the old transport with events.
        config: jsonConfig(path, present({ httpUrl: url, headers })),
      };
    }
    const { command, args = [] } = server;
    const env = expandedBy(server.env, refer);
    const options = envOptions(env);
    const words = args.some((word) => word.startsWith('-')) ? ['--', ...args] : args;
    return {
      command: shellLine([...add, ...options, name, command, ...words]),
      config: jsonConfig(path, present({ command, args, env })),
    };
  },
};
