/**
 * A value for the settings of a host: a text, or a secret that the host gets from an environment variable or asks for.
 */
export type HostValue = string | SecretValue;

/** A value that must not stand in a file: what comes before it, and the variable that holds it. */
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

/** A server, as a host is told of it. */
export type HostServer = LocalServer | RemoteServer;

export function isRemote(server: HostServer): server is RemoteServer {
  return 'url' in server;
}
