import { McpResource, McpServer, McpService, McpTool, RateLimit } from '@toolwright/core';
import { Database } from '../database.js';

export const NOTICE = 'fleet://notice';

/** A notice that all replicas show. Clients that subscribe to it are told when it changes, wherever it changes. */
@McpService()
export class BoardTools {
  constructor(
    private readonly database: Database,
    private readonly server: McpServer,
  ) {}

  /** The notice on the board. */
  @McpResource({ name: 'notice', uri: NOTICE, mimeType: 'text/plain' })
  @RateLimit(false)
  notice(): Promise<string> {
    return this.database.readNotice();
  }

  /**
   * Write a new notice. Subscribers are told.
   * @param text what it says
   */
  @McpTool({ name: 'write_notice', annotations: { destructiveHint: false, openWorldHint: false } })
  @RateLimit(false)
  async writeNotice(text: string): Promise<void> {
    await this.database.writeNotice(text);
    this.server.resourceUpdated(NOTICE);
  }
}
