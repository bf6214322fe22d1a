import { cloudSetup, connectorSteps } from './cloud-host.js';
import { setUpCodex } from './codex.js';
import { setUpClaudeCode, setUpGemini } from './command-lines.js';
import { setUpGoose } from './goose.js';
import { type HostRow, isRemote } from './host.js';
import {
  claudeAiLimits,
  claudeCodeLimits,
  claudeDesktopLimits,
  codexLimits,
  cursorLimits,
  geminiLimits,
  gooseLimits,
  vsCodeLimits,
  windsurfLimits,
  zedLimits,
} from './host-limits.js';
import { setUpVsCode } from './vscode.js';
import { asciiJson, expandedBy, firstVariable, jsonConfig, present } from './write-settings.js';

/**
 * One row for each host. A new host is a row here, and a line of the table in docs/hosts.md: a test compares both. A
 * host whose setup is longer than a few lines has it in a file of its own.
 */
export const table = [
  // The file lists only programs to start, and has no variables. Servers over HTTP are connectors of the account:
  // https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp
  row('claude-desktop', {
    title: 'Claude Desktop',
    source: 'https://modelcontextprotocol.io/docs/develop/connect-local-servers',
    file: {
      darwin: '~/Library/Application Support/Claude/claude_desktop_config.json',
      win32: '%APPDATA%\\Claude\\claude_desktop_config.json',
      linux: '~/.config/Claude/claude_desktop_config.json',
    },
    limits: claudeDesktopLimits,
    setUp(server) {
      const { title } = this;
      if (isRemote(server)) return cloudSetup(server, { title, company: 'Anthropic' }, connectorSteps(title));
      const { name, command, args, env } = server;
      return (
        refuseSecret(title, firstVariable(env)) ?? {
          config: jsonConfig(['mcpServers', name], present({ command, args, env })),
        }
      );
    },
  }),
  row('claude-code', {
    title: 'Claude Code',
    source: 'https://code.claude.com/docs/en/mcp',
    file: {
      darwin: '~/.claude.json',
      win32: '~\\.claude.json',
      linux: '~/.claude.json',
      folderVariable: 'CLAUDE_CONFIG_DIR',
    },
    limits: claudeCodeLimits,
    setUp: setUpClaudeCode,
  }),
  row('vscode', {
    title: 'VS Code',
    source: 'https://code.visualstudio.com/docs/agents/reference/mcp-configuration',
    file: {
      darwin: '~/Library/Application Support/Code/User/mcp.json',
      win32: '%APPDATA%\\Code\\User\\mcp.json',
      linux: '~/.config/Code/User/mcp.json',
    },
    limits: vsCodeLimits,
    setUp: setUpVsCode,
  }),
  // The link: https://cursor.com/docs/context/mcp/install-links
  row('cursor', {
    title: 'Cursor',
    source: 'https://cursor.com/docs/context/mcp',
    file: { darwin: '~/.cursor/mcp.json', win32: '~\\.cursor\\mcp.json', linux: '~/.cursor/mcp.json' },
    limits: cursorLimits,
    setUp(server) {
      const { name } = server;
      const entry = isRemote(server)
        ? present({ url: server.url, headers: expandedBy(server.headers, environment) })
        : present({ command: server.command, args: server.args, env: expandedBy(server.env, environment) });
      const query = `name=${encodeURIComponent(name)}&config=${encodeURIComponent(btoa(asciiJson(entry)))}`;
      return {
        link: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
        config: jsonConfig(['mcpServers', name], entry),
      };
    },
  }),
  row('windsurf', {
    title: 'Windsurf',
    source: 'https://docs.windsurf.com/windsurf/cascade/mcp',
    file: {
      darwin: '~/.codeium/windsurf/mcp_config.json',
      win32: '~\\.codeium\\windsurf\\mcp_config.json',
      linux: '~/.codeium/windsurf/mcp_config.json',
    },
    limits: windsurfLimits,
    setUp(server) {
      const entry = isRemote(server)
        ? present({ serverUrl: server.url, headers: expandedBy(server.headers, environment) })
        : present({ command: server.command, args: server.args, env: expandedBy(server.env, environment) });
      return { config: jsonConfig(['mcpServers', server.name], entry) };
    },
  }),
  row('codex', {
    title: 'Codex CLI',
    source: 'https://developers.openai.com/codex/mcp',
    file: {
      darwin: '~/.codex/config.toml',
      win32: '~\\.codex\\config.toml',
      linux: '~/.codex/config.toml',
      folderVariable: 'CODEX_HOME',
    },
    limits: codexLimits,
    setUp: setUpCodex,
  }),
  row('gemini', {
    title: 'Gemini CLI',
    source: 'https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md',
    file: {
      darwin: '~/.gemini/settings.json',
      win32: '~\\.gemini\\settings.json',
      linux: '~/.gemini/settings.json',
    },
    limits: geminiLimits,
    setUp: setUpGemini,
  }),
  row('goose', {
    title: 'Goose',
    source: 'https://block.github.io/goose/docs/getting-started/using-extensions',
    file: {
      darwin: '~/.config/goose/config.yaml',
      win32: '%APPDATA%\\Block\\goose\\config\\config.yaml',
      linux: '~/.config/goose/config.yaml',
    },
    limits: gooseLimits,
    setUp: setUpGoose,
  }),
  // Where the file is: https://zed.dev/docs/configuring-zed. Its values have no variables.
  row('zed', {
    title: 'Zed',
    source: 'https://zed.dev/docs/ai/mcp',
    file: {
      darwin: '~/.config/zed/settings.json',
      win32: '%APPDATA%\\Zed\\settings.json',
      linux: '~/.config/zed/settings.json',
    },
    limits: zedLimits,
    setUp(server) {
      const variable = firstVariable(isRemote(server) ? server.headers : server.env);
      const entry = isRemote(server)
        ? present({ url: server.url, headers: server.headers })
        : present({ command: server.command, args: server.args, env: server.env });
      return (
        refuseSecret(this.title, variable) ?? {
          config: jsonConfig(['context_servers', server.name], entry),
        }
      );
    },
  }),
  row('chatgpt', {
    title: 'ChatGPT',
    source: 'https://developers.openai.com/apps-sdk/deploy/connect-chatgpt',
    setUp(server) {
      return cloudSetup(server, { title: this.title, company: 'OpenAI' }, (url) => [
        'In ChatGPT on the web, open Settings, then Apps & Connectors, then Advanced settings, and switch on Developer mode.',
        `Go back to Apps & Connectors, choose Create, and paste this URL: ${url}`,
        'Choose Create. Sign in if the server asks for it.',
      ]);
    },
  }),
  row('claude-ai', {
    title: 'claude.ai',
    source:
      'https://support.claude.com/en/articles/11175166-getting-started-with-custom-connectors-using-remote-mcp',
    limits: claudeAiLimits,
    setUp(server) {
      const { title } = this;
      return cloudSetup(server, { title, company: 'Anthropic' }, connectorSteps(title));
    },
  }),
];

function row<const Id extends string>(id: Id, host: Omit<HostRow, 'id'>): HostRow<Id> {
  return { id, ...host };
}

function environment(variable: string): string {
  return `\${env:${variable}}`;
}

function refuseSecret(title: string, variable: string | undefined) {
  if (variable === undefined) return undefined;
  return {
    problem: `The settings of ${title} have no place for the secret ${variable} but the file itself.`,
  };
}
