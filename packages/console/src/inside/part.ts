import type { McpServer } from '@toolwright/core';
import type { ConsoleApi, ConsoleMethod } from '../api/console-api.js';
import type { ConsoleEvent } from '../api/events.js';

/** What the parts of a console share in the process of the servers. */
export interface PartHost {
  /**
   * The server with this id.
   *
   * @throws {ConsoleFault} when there is none
   */
  server(id: string): McpServer;
  tell(event: ConsoleEvent): void;
  /** Calls the listener when nobody watches the servers any more. */
  onRest(listener: () => void): void;
  /** Who looks after the servers here, as the audit log names them. */
  readonly by: string;
}

/** The answers to some methods of the console. */
export type Part<M extends ConsoleMethod> = Pick<ConsoleApi, M>;
