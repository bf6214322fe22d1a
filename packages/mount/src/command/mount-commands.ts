import type { McpServer } from '@toolwright/core';
import type { AuditSink } from '@toolwright/core/ports';

/** Where a command writes to, and what it can use of the command line. */
export interface MountConsole {
  readonly cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** The transports and the audit log, which this package does not depend on. Each is loaded when it is used. */
  readonly serving: {
    http(): Promise<{
      serveHttp(server: McpServer, options: { port: number }): Promise<{ readonly url: string }>;
      oauthResourceServer(options: never): unknown;
    }>;
    stdio(): Promise<{ serveStdio(server: McpServer): Promise<unknown> }>;
    audit(): Promise<{ openAuditSink(options: { file: string }): Promise<AuditSink> }>;
  };
}

/** One of the commands that this package brings. */
export interface MountCommand {
  /** Its words after `toolwright`. */
  readonly words: readonly string[];
  readonly description: string;
  readonly argument: { readonly name: string; readonly description: string };
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly repeated?: boolean;
  }[];
  readonly help: string;
  /** Options stand before the argument. What comes after it belongs to the argument. */
  readonly passThrough?: boolean;
  /** @returns the exit code */
  run(argument: never, values: Readonly<Record<string, unknown>>, console: MountConsole): Promise<number>;
}
