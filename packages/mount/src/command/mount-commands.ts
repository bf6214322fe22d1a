import type { PackageCommand } from '@toolwright/json';
import type { McpServer } from '@toolwright/core';
import type { AuditSink } from '@toolwright/core/ports';

interface ConsoleOptions {
  readonly port?: number;
  readonly access: readonly ('read' | 'change')[];
  readonly command: string;
}

/** Where a command writes to, and what it can use of the command line. */
export interface MountConsole {
  readonly cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** Writes a value for programs. */
  json(value: unknown): void;
  /** The transports, the audit log and the console, which this package does not depend on. Each is loaded when it is used. */
  readonly serving: {
    http(): Promise<{
      serveHttp(server: McpServer, options: { port: number }): Promise<{ readonly url: string }>;
      oauthResourceServer(options: never): unknown;
    }>;
    stdio(): Promise<{ serveStdio(server: McpServer): Promise<unknown> }>;
    audit(): Promise<{ openAuditSink(options: { file: string }): Promise<AuditSink> }>;
    console(): Promise<{
      serveConsole(server: McpServer, options: ConsoleOptions): Promise<{ readonly url: string }>;
    }>;
  };
}

/** One of the commands that this package brings. */
export type MountCommand = PackageCommand<MountConsole, never>;
