import { McpService, McpTool } from '@toolwright/core';

/** The tools of this app. Each decorated method is a tool. */
@McpService()
export class AppTools {
  private readonly startedAt = Date.now();

  /** Get how long the app has been running. Returns the seconds since it started. */
  @McpTool({ name: 'get_uptime', annotations: { readOnlyHint: true, openWorldHint: false } })
  getUptime(): { seconds: number } {
    return { seconds: Math.round((Date.now() - this.startedAt) / 1000) };
  }
}
