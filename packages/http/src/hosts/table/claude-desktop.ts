import { jsonConfig } from '../config-text.js';
import { cloudSetup } from '../cloud-host.js';
import { isRemote } from '../host-server.js';
import type { Host } from '../host.js';
import { firstVariable, present } from '../secret-values.js';
import { connectorSteps } from './claude-ai.js';

const title = 'Claude Desktop';

/**
 * The file lists only programs to start. Servers over HTTP are connectors of the account. The file has no variables.
 * Remote ones: https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp
 */
export const claudeDesktop: Host = {
  id: 'claude-desktop',
  title,
  source: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
  file: {
    darwin: '~/Library/Application Support/Claude/claude_desktop_config.json',
    win32: '%APPDATA%\\Claude\\claude_desktop_config.json',
    linux: '~/.config/Claude/claude_desktop_config.json',
  },
  setUp(server) {
    if (isRemote(server)) return cloudSetup(server, { title, company: 'Anthropic' }, connectorSteps(title));
    const { command, args, env } = server;
    const variable = firstVariable(env);
    if (variable !== undefined)
      return {
        refusal: `The settings of ${title} have no place for the secret ${variable} but the file itself.`,
      };
    const entry = present({ command, args, env });
    return { config: jsonConfig(['mcpServers', server.name], entry) };
  },
};
