import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { peersFolder } from '../peers/peers.js';
import { runContestant } from './contestant-process.js';
import { measure, MEASURE_DESCRIPTION, SERVER_INFO, toolName } from './work.js';

interface Server {
  tool(settings: object, handler: (input: { text: string; size: number }) => Promise<unknown>): void;
  listen(port: number): Promise<{ port: number }>;
}

/** mcp-use as its guide sets it up, without sessions. It is installed apart: see `peers/`. */
void runContestant(async ({ tools }) => {
  // It reports its use to its makers otherwise, and keeps an id in the working directory.
  process.env['MCP_USE_ANONYMIZED_TELEMETRY'] = 'false';
  const load = async (name: string) =>
    (await import(
      pathToFileURL(createRequire(join(peersFolder, 'package.json')).resolve(name)).href
    )) as unknown;
  const { MCPServer } = (await load('mcp-use')) as { MCPServer: new (settings: object) => Server };
  const { z } = (await load('zod')) as typeof import('zod');
  const server = new MCPServer({ ...SERVER_INFO, host: '127.0.0.1' });
  for (let index = 0; index < tools; index++)
    server.tool(
      {
        name: toolName(index),
        description: MEASURE_DESCRIPTION,
        inputSchema: z.object({
          text: z.string().min(1).describe('what to measure'),
          size: z.number().int().min(0).max(1_000_000).describe('characters of padding'),
        }),
      },
      async ({ text, size }) => ({ content: [{ type: 'text', text: measure(text, size) }] }),
    );
  return (await server.listen(0)).port;
});
