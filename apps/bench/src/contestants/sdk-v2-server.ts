import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createMcpExpressApp } from '@modelcontextprotocol/express';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, type McpHttpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { listen } from './listen.js';
import type { Settings } from './settings.js';
import {
  COUNT_DESCRIPTION,
  COUNT_TOOL,
  countResult,
  ENDPOINT,
  measure,
  MEASURE_DESCRIPTION,
  SERVER_INFO,
  toolName,
} from './work.js';
import { addFurtherTools, addTouch, type Notify } from './sdk-v2-tools.js';
import { bearerAuth } from './sdk-v2-tokens.js';
import type { ToolSchemas } from './zod-schemas.js';

/** The SDK's own pattern: a factory that registers everything, called for each request or connection. */
export function buildServer(settings: Settings, schemas: ToolSchemas, notify?: Notify): McpServer {
  const { tools, progress } = settings;
  const server = new McpServer(SERVER_INFO, {
    capabilities: settings.fanout ? { resources: { subscribe: true } } : {},
  });
  for (let index = 0; index < tools; index++) {
    const config = { description: MEASURE_DESCRIPTION, inputSchema: schemas.measure() };
    server.registerTool(toolName(index), config, ({ text, size }) => ({
      content: [{ type: 'text', text: measure(text, size) }],
    }));
  }
  if (progress) {
    const config = { description: COUNT_DESCRIPTION, inputSchema: schemas.count() };
    server.registerTool(COUNT_TOOL, config, async ({ steps: total }, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (let done = 1; progressToken !== undefined && done <= total; done++) {
        const params = { progressToken, progress: done, total };
        await ctx.mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: countResult(total) }] };
    });
  }
  addFurtherTools(server, settings, schemas);
  if (settings.fanout) addTouch(server, notify);
  return server;
}

/**
 * Serves a server of the SDK.
 *
 * @param schemas asked for a schema at each registration
 * @returns the port, or 0 over stdio
 */
export async function startSdkV2(settings: Settings, schemas: ToolSchemas): Promise<number> {
  const build = (served?: { notify: Notify }) => buildServer(settings, schemas, served?.notify);
  if (settings.transport === 'stdio') {
    serveStdio(() => build());
    return 0;
  }
  const app = createMcpExpressApp({ jsonLimit: '4mb' });
  if (settings.tokens) app.use(await bearerAuth(settings.tokens));
  if (settings.dialect === 'session') {
    const transports = new Map<string, NodeStreamableHTTPServerTransport>();
    app.post(ENDPOINT, async (req, res) => {
      let transport = transports.get(String(req.headers['mcp-session-id']));
      if (!transport) {
        const opened = new NodeStreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          enableJsonResponse: !settings.progress,
          onsessioninitialized: (id) => void transports.set(id, opened),
        });
        await build().connect(opened);
        transport = opened;
      }
      await transport.handleRequest(req, res, req.body);
    });
  } else {
    const served: McpHttpHandler = createMcpHandler(() => build(served), { maxSubscriptions: 10_000 });
    const handler = toNodeHandler(served);
    app.post(ENDPOINT, (req, res) => handler(req, res, req.body));
  }
  return listen(createServer(app));
}
