import type { McpServer } from '@toolwright/core';
import type { ServerSummary } from '../api/overview-api.js';

export function summaryOf(id: string, server: McpServer): ServerSummary {
  const { name, title, version } = server.info;
  return { id, name, version, ...(title !== undefined && { title }) };
}
