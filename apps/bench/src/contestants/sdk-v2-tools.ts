import type { McpServer } from '@modelcontextprotocol/server';
import type { Settings } from './settings.js';
import {
  GUARDED_SEARCH_TOOL,
  SAVE_DESCRIPTION,
  SAVE_TOOL,
  saveResult,
  SEARCH_DESCRIPTION,
  SEARCH_TOOL,
  searchResult,
} from './work.js';
import type { ToolSchemas } from './zod-schemas.js';

/** Registers the tools that only some workloads ask for. */
export function addFurtherTools(server: McpServer, settings: Settings, schemas: ToolSchemas): void {
  if (settings.objects) {
    const config = {
      description: SEARCH_DESCRIPTION,
      inputSchema: schemas.search(),
      outputSchema: schemas.rows(),
    };
    server.registerTool(settings.tokens ? GUARDED_SEARCH_TOOL : SEARCH_TOOL, config, ({ count }) => {
      const structuredContent = searchResult(count);
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    });
  }
  if (settings.dto) {
    const config = { description: SAVE_DESCRIPTION, inputSchema: schemas.page() };
    server.registerTool(SAVE_TOOL, config, (page) => ({
      content: [{ type: 'text', text: saveResult(page) }],
    }));
  }
}
