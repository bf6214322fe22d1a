import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { runContestant } from './contestant-process.js';
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
import { countShape, measureShape } from './zod-schemas.js';

/** As the SDK's examples have it: schemas are made where the tools are registered. */
function buildServer({ tools, progress }: Settings): McpServer {
  const server = new McpServer(SERVER_INFO);
  for (let index = 0; index < tools; index++) {
    const config = { description: MEASURE_DESCRIPTION, inputSchema: measureShape() };
    server.registerTool(toolName(index), config, ({ text, size }) => ({
      content: [{ type: 'text', text: measure(text, size) }],
    }));
  }
  if (progress) {
    const config = { description: COUNT_DESCRIPTION, inputSchema: countShape() };
    server.registerTool(COUNT_TOOL, config, async ({ steps }, { _meta, sendNotification }) => {
      const progressToken = _meta?.progressToken;
      for (let done = 1; progressToken !== undefined && done <= steps; done++) {
        const params = { progressToken, progress: done, total: steps };
        await sendNotification({ method: 'notifications/progress', params });
      }
      return { content: [{ type: 'text', text: countResult(steps) }] };
    });
  }
  return server;
}

/** The two patterns of the SDK's examples: a transport kept per session, or one made for each request. */
function transportOf(settings: Settings) {
  const kept = new Map<string, StreamableHTTPServerTransport>();
  return async (session: string | undefined): Promise<StreamableHTTPServerTransport> => {
    const found = session && kept.get(session);
    if (found) return found;
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: settings.dialect === 'session' ? randomUUID : undefined,
      enableJsonResponse: !settings.progress,
      onsessioninitialized: (id) => void kept.set(id, transport),
    });
    await buildServer(settings).connect(transport);
    return transport;
  };
}

void runContestant(async (settings) => {
  if (settings.transport === 'stdio') {
    await buildServer(settings).connect(new StdioServerTransport());
    return 0;
  }
  const find = transportOf(settings);
  const app = express();
  app.use(express.json({ limit: '4mb' }));
  app.post(ENDPOINT, async (req, res) => {
    const transport = await find(req.get('mcp-session-id'));
    if (settings.dialect === 'stateless') res.on('close', () => void transport.close());
    await transport.handleRequest(req, res, req.body);
  });
  return listen(createServer(app));
});
