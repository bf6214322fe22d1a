import { type HostServer, type HostSetup, isRemote } from './host.js';
import { envOptions, expandedBy, headerOptions, jsonConfig, present, shellLine } from './write-settings.js';

const refer = (variable: string) => `\${${variable}}`;

/** Claude Code: a command, or an entry of its file. */
export function setUpClaudeCode(server: HostServer): HostSetup {
  const { name } = server;
  const path = ['mcpServers', name];
  if (isRemote(server)) {
    const { url } = server;
    const headers = expandedBy(server.headers, refer);
    // The option takes several values, so it comes last.
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
    // An option with one value separates the values of --env, which takes several, from the name.
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
}

const add = ['gemini', 'mcp', 'add', '--scope', 'user'];

/** Gemini CLI: a command, or an entry of its file. */
export function setUpGemini(server: HostServer): HostSetup {
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
}
