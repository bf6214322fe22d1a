import type { HostServer } from './host-server.js';

export type HostId =
  | 'claude-desktop'
  | 'claude-code'
  | 'vscode'
  | 'cursor'
  | 'windsurf'
  | 'codex'
  | 'gemini'
  | 'goose'
  | 'zed'
  | 'chatgpt'
  | 'claude-ai';

/** A program that uses MCP servers. */
export interface Host {
  readonly id: HostId;
  /** The name that people know. */
  readonly title: string;
  /** The page of the host's documentation that this entry follows. */
  readonly source: string;
  /** Where the host keeps the settings of a person; `undefined` if they are not in a file. */
  readonly file?: HostFile;
  /** How this host is told of a server. */
  setUp(server: HostServer): HostSetup;
}

/** A path on each system. `~` is the home folder, and `%APPDATA%` is that variable of Windows. */
export interface HostFile {
  readonly darwin: string;
  readonly win32: string;
  readonly linux: string;
  /** The environment variable that names another folder for the file. */
  readonly folderVariable?: string;
}

/** The ways to tell a host of a server. There is at least one of them, or a `refusal`. */
export interface HostSetup {
  /** Why this host cannot use the server, in a sentence. */
  readonly refusal?: string;
  /** A command line for a POSIX shell. */
  readonly command?: string;
  /** A link that opens the host, which then asks the person. */
  readonly link?: string;
  /** What belongs into the file of the host. */
  readonly config?: HostConfig;
  /** What a person does in the host. */
  readonly steps?: readonly string[];
}

/** An entry of a file of settings. */
export interface HostConfig {
  readonly format: 'json' | 'toml' | 'yaml';
  /** The keys from the top of the file to the entry. */
  readonly path: readonly string[];
  readonly entry: Readonly<Record<string, unknown>>;
  /** What the host asks its person for (VS Code): the items of the list `inputs` at the top of the file. */
  readonly inputs?: readonly HostInput[];
  /** A whole file with only this entry, to read or to paste. */
  readonly text: string;
}

/** A value that VS Code asks for once and keeps in its safe storage. */
export interface HostInput {
  readonly type: 'promptString';
  readonly id: string;
  readonly description: string;
  readonly password: true;
}
