import {
  acceptedContent,
  inputRequired,
  type McpHttpHandler,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { Settings } from './settings.js';
import {
  BOOK_DESCRIPTION,
  BOOK_QUESTION,
  BOOK_TOOL,
  bookResult,
  CLOCK_URI,
  GUARDED_SEARCH_TOOL,
  SAVE_DESCRIPTION,
  SAVE_TOOL,
  saveResult,
  SEARCH_DESCRIPTION,
  SEARCH_TOOL,
  searchResult,
  TOUCH_DESCRIPTION,
  TOUCH_TOOL,
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
  if (settings.elicit) {
    server.registerTool(BOOK_TOOL, { description: BOOK_DESCRIPTION }, (ctx) => {
      const { key, message } = BOOK_QUESTION;
      const guests = acceptedContent(ctx.mcpReq.inputResponses, key, schemas.guests());
      if (guests) return { content: [{ type: 'text', text: bookResult(guests.count) }] };
      const question = inputRequired.elicit({ message, requestedSchema: schemas.guests() });
      return inputRequired({ inputRequests: { [key]: question } });
    });
  }
}

/** Tells the streams that listen to a handler. */
export type Notify = Pick<McpHttpHandler['notify'], 'resourceUpdated'>;

/** Registers `touch` and what it touches. */
export function addTouch(server: McpServer, notify: Notify | undefined): void {
  server.registerResource('clock', CLOCK_URI, { description: 'What time it is.' }, () => ({
    contents: [{ uri: CLOCK_URI, text: new Date().toISOString() }],
  }));
  server.registerTool(TOUCH_TOOL, { description: TOUCH_DESCRIPTION }, () => {
    notify?.resourceUpdated(CLOCK_URI);
    return { content: [{ type: 'text', text: 'touched' }] };
  });
}
