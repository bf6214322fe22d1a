import type { HostLimits } from './host-limits.js';

/** A row of the table: a program that uses MCP servers. */
export interface HostRow<Id extends string = string> {
  readonly id: Id;
  /** The name that people know. */
  readonly title: string;
  /** The page of the host's documentation that this entry follows. */
  readonly source: string;
  /** Where the host keeps the settings of a person; `undefined` if they are not in a file. */
  readonly file?: HostFile;
  /** What the host refuses in tools, as far as public reports say. */
  readonly limits?: HostLimits;
  /** The ways to add a server to this host. */
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

/** The ways to add a server to a host. There is at least one of them, or a `problem`. */
export interface HostSetup {
  /** Why this host cannot use the server, in a sentence. */
  readonly problem?: string;
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

/**
 * A value for the settings of a host: a text, or a secret that the host gets from an environment variable or asks for.
 */
export type HostValue = string | SecretValue;

/** A value that no file may contain: the text before it, and the variable that holds it. */
export interface SecretValue {
  /** The part before the secret, such as `Bearer `. Default: none. */
  readonly before?: string;
  /** The name of the environment variable. */
  readonly variable: string;
}

interface NamedServer {
  /** The name of the server. Hosts get it without the characters that some of them refuse. */
  readonly name: string;
  readonly description?: string | undefined;
}

/** A server that the host starts, and speaks with on standard input and output. */
export interface LocalServer extends NamedServer {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, HostValue>>;
}

/** A server that the host reaches over HTTP. */
export interface RemoteServer extends NamedServer {
  /** The URL of the endpoint: http or https. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, HostValue>>;
}

/** A server to add to a host. */
export type HostServer = LocalServer | RemoteServer;

export function isRemote(server: HostServer): server is RemoteServer {
  return 'url' in server;
}
