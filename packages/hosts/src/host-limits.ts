/**
 * What a host refuses in the tools of a server: the whole request, the tool, or only its end. Each part has the public
 * report or manual that says so.
 */
export interface HostLimits {
  /** The names of tools. Other characters are refused, or the host writes `_` in their place. */
  readonly name?: { readonly pattern: string; readonly source: string };
  /** The most characters of a name, with what the host writes before it. `<server>` is the name of the server. */
  readonly length?: { readonly most: number; readonly prefix: string; readonly source: string };
  /** The names of properties of arguments. */
  readonly key?: { readonly pattern: string; readonly source: string };
  /** The most tools of all servers of a person. */
  readonly tools?: { readonly most: number; readonly source: string };
  /** The host reads only the first page of `tools/list`. */
  readonly firstPage?: { readonly source: string };
}

const issue = (path: string) => `https://github.com/${path}`;

const NAME = '^[a-zA-Z0-9_-]+$';
const openAiName = { pattern: NAME, source: issue('openai/codex/issues/8174') };

/** The API behind all hosts of Anthropic. */
const anthropic: HostLimits = {
  name: { pattern: '^[a-zA-Z0-9_-]{1,128}$', source: issue('github/copilot-cli/issues/1879') },
  key: { pattern: '^[a-zA-Z0-9_.-]{1,64}$', source: issue('anthropics/claude-code/issues/34771') },
};

export const claudeDesktopLimits: HostLimits = {
  ...anthropic,
  length: { most: 64, prefix: '', source: issue('sparfenyuk/mcp-proxy/issues/45') },
};

export const claudeCodeLimits: HostLimits = {
  ...anthropic,
  length: {
    most: 64,
    prefix: 'mcp__<server>__',
    source: 'https://git.drupalcode.org/project/mcp/-/work_items/3569862',
  },
  firstPage: { source: issue('anthropics/claude-code/issues/39586') },
};

export const claudeAiLimits: HostLimits = {
  ...anthropic,
  firstPage: { source: issue('anthropics/claude-ai-mcp/issues/87') },
};

export const vsCodeLimits: HostLimits = {
  name: { pattern: NAME, source: issue('microsoft/vscode/issues/308463') },
  length: { most: 64, prefix: 'mcp_<server>_', source: issue('microsoft/vscode/issues/243602') },
  tools: { most: 128, source: issue('microsoft/vscode-copilot-release/issues/9375') },
};

export const cursorLimits: HostLimits = {
  name: { pattern: NAME, source: issue('webstudio-is/webstudio/issues/5960') },
  length: { most: 60, prefix: '<server>:', source: issue('ComposioHQ/composio/issues/2788') },
  tools: { most: 80, source: issue('Snowflake-Labs/mcp/issues/77') },
};

export const windsurfLimits: HostLimits = {
  tools: { most: 100, source: 'https://docs.windsurf.com/windsurf/cascade/mcp' },
};

export const codexLimits: HostLimits = {
  name: openAiName,
  firstPage: { source: issue('openai/codex/issues/28858') },
};

export const geminiLimits: HostLimits = {
  name: { pattern: '^[a-zA-Z0-9_.:-]+$', source: issue('nasoma/joomla-mcp-server/issues/2') },
  length: {
    most: 63,
    prefix: 'mcp_<server>_',
    source: 'https://zuplo.com/learn/mcp/compatibility/clients/gemini-cli',
  },
};

/** Goose sends tools to the provider that its person chose, so the strictest one counts. */
export const gooseLimits: HostLimits = {
  name: openAiName,
  length: { most: 64, prefix: '<server>__', source: issue('nasoma/joomla-mcp-server/issues/2') },
  key: anthropic.key!,
};

export const zedLimits: HostLimits = { name: openAiName, key: anthropic.key! };

export const chatGptLimits: HostLimits = {
  name: openAiName,
  length: { most: 64, prefix: '', source: issue('microsoft/foundry-dev-tools/issues/201') },
};
