import type { QueryOptions } from '@toolwright/audit';
import type { McpServer } from '@toolwright/core';
import type { ConsoleApi, ConsoleEvent, ConsoleMethod, ParamsOf } from '../api/console-api.js';
import type { OverviewApi } from '../api/overview-api.js';
import type { ProjectApi } from '../api/project-api.js';
import type { RecordApi } from '../api/record-api.js';
import type { SignInApi } from '../api/sign-in-api.js';

/** Which logs are read: files, patterns and tables, as `queryAudit` takes them. */
export type AuditLogs = QueryOptions['file'];

/** What the parts of a console share in the process of the servers. */
export interface PartHost {
  /**
   * The server with this id.
   *
   * @throws {ConsoleRefusal} when there is no such server
   */
  server(id: string): McpServer;
  tell(event: ConsoleEvent): void;
  /** Calls the listener when nobody watches the servers any more. */
  onRest(listener: () => void): void;
  /** The audit logs of all replicas. Default: that of each server. */
  readonly auditLogs: AuditLogs | undefined;
  /** The name of the operator in the audit log, for requests that do not name one. */
  readonly by: string;
}

/**
 * The answers to some methods of the console. Each gets the name of the person who asks, as the audit log writes it.
 */
export type Part<M extends ConsoleMethod> = {
  readonly [Name in M]: (params: ParamsOf<Name>, by: string) => ReturnType<ConsoleApi[Name]>;
};

/** The methods that are answered in the process of the servers. */
export type InsideMethod = Exclude<
  ConsoleMethod,
  keyof OverviewApi | keyof RecordApi | keyof ProjectApi | keyof SignInApi
>;
