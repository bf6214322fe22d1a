import { type integer, McpService, McpTool, RateLimit } from '@toolwright/core';
import { Database } from '../database.js';

/** A counter that all replicas share. It shows whether a call ran once. */
@McpService()
export class CounterTools {
  constructor(private readonly database: Database) {}

  /**
   * Add one to a counter. Returns its new value.
   * @param key the name of the counter
   */
  @McpTool({ name: 'count_call', annotations: { destructiveHint: false, openWorldHint: false } })
  @RateLimit(false)
  countCall(/** @minLength 1 @maxLength 200 */ key: string): Promise<integer> {
    return this.database.count(key);
  }
}
