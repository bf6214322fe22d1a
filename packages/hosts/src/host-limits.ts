/**
 * What a host refuses or changes in the tools of a server: the whole request, the tool, or only its name. Each part has the
 * public report, manual or source of the host that says so. A host about which none of them says anything has no limits here.
 */
export interface HostLimits {
  /** The names of tools. */
  readonly name?: {
    readonly pattern: string;
    /** What becomes of names with other characters: they are refused, or the host writes `_` in their place. */
    readonly others: 'refused' | '_';
    readonly source: string;
  };
  /** The most characters of a name, with what the host writes before it. `<server>` is the name of the server. */
  readonly length?: { readonly most: number; readonly prefix: string; readonly source: string };
  /** The names of properties of arguments. */
  readonly key?: { readonly pattern: string; readonly source: string };
  /** The values among which an argument chooses (`enum`, `const`) are texts only. */
  readonly choices?: { readonly source: string };
  /** The most tools of all servers of a person. */
  readonly tools?: { readonly most: number; readonly source: string };
  /** The host reads only the first page of `tools/list`. */
  readonly firstPage?: { readonly source: string };
}

const github = (path: string) => `https://github.com/${path}`;

const NAME = '^[a-zA-Z0-9_-]+$';
const NAME_OF_64 = '^[a-zA-Z0-9_-]{1,64}$';

/** The API behind all hosts of Anthropic, and behind the hosts of others that send it their tools unchanged. */
const key = { pattern: '^[a-zA-Z0-9_.-]{1,64}$', source: github('anthropics/claude-code/issues/34771') };

export const claudeDesktopLimits: HostLimits = {
  name: { pattern: NAME_OF_64, others: 'refused', source: github('API-200/api200/issues/14') },
  key,
};

export const claudeCodeLimits: HostLimits = {
  name: { pattern: NAME, others: '_', source: github('barryw/ImmichMCP/pull/8') },
  length: {
    most: 64,
    prefix: 'mcp__<server>__',
    source: github('anthropics/claude-code/issues/21136'),
  },
  key,
};

export const claudeAiLimits: HostLimits = {
  name: { pattern: NAME_OF_64, others: 'refused', source: github('anthropics/claude-code/issues/57813') },
  key,
  firstPage: { source: github('anthropics/claude-ai-mcp/issues/87') },
};

export const vsCodeLimits: HostLimits = {
  name: { pattern: NAME, others: '_', source: github('microsoft/vscode/issues/308463') },
  length: { most: 64, prefix: 'mcp_<server>_', source: github('microsoft/vscode/issues/243602') },
  tools: { most: 128, source: github('microsoft/vscode-copilot-release/issues/9375') },
};

/** It counts both names without the colon, and takes fewer than 60: that is 60 with the colon. */
export const cursorLimits: HostLimits = {
  name: { pattern: NAME, others: 'refused', source: github('webstudio-is/webstudio/issues/5960') },
  length: { most: 60, prefix: '<server>:', source: github('ComposioHQ/composio/issues/2788') },
  tools: { most: 80, source: github('Snowflake-Labs/mcp/issues/77') },
};

export const windsurfLimits: HostLimits = {
  name: { pattern: NAME_OF_64, others: 'refused', source: github('patchorbit/domscribe/issues/18') },
  tools: { most: 100, source: 'https://docs.devin.ai/desktop/cascade/mcp' },
};

/** It writes a digest for the end of a longer name. */
export const codexLimits: HostLimits = {
  name: { pattern: NAME, others: '_', source: github('openai/codex/issues/8174') },
  length: {
    most: 64,
    prefix: 'mcp__<server>__',
    source: github(
      'openai/codex/blob/00302de71ca3c3d5fc3f9361b7111ca41964f8c5/codex-rs/core/src/mcp_connection_manager.rs',
    ),
  },
  firstPage: { source: github('openai/codex/issues/28858') },
};

const geminiManual = github('google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md');

/** It writes dots for the middle of a longer name. */
export const geminiLimits: HostLimits = {
  name: { pattern: '^[a-zA-Z0-9_.:-]+$', others: '_', source: geminiManual },
  length: { most: 63, prefix: 'mcp_<server>_', source: geminiManual },
  choices: { source: github('chrisdoc/hevy-mcp/issues/1161') },
};

/** It sends names unchanged to the provider of its person, and refuses calls of names with other characters. */
export const gooseLimits: HostLimits = {
  name: {
    pattern: NAME,
    others: 'refused',
    source: github(
      'aaif-goose/goose/blob/b52980739730ae6bb824e597fd16b6bb494a01c1/crates/goose/src/providers/formats/openai.rs',
    ),
  },
  length: { most: 64, prefix: '<server>__', source: github('nasoma/joomla-mcp-server/issues/2') },
  key,
};

/** It cuts a longer name. */
export const zedLimits: HostLimits = {
  name: { pattern: NAME, others: '_', source: github('zed-industries/zed/pull/60154') },
  length: {
    most: 64,
    prefix: '',
    source: github(
      'zed-industries/zed/blob/000e783fddd704e6a0fa2be12fe41c56c94e820c/crates/agent/src/thread.rs',
    ),
  },
  key,
};
