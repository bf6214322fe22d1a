import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpServer, Principal } from '@toolwright/core';
import { createMcpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { connect, type McpClient } from '@toolwright/client';
import { readRecording, recordTo, replay, type ReplayOptions, type ReplayReport } from '../../src/index.js';

export type Tool = Parameters<McpServer['tools']['add']>[0];

/** A folder that a test may fill. */
export function makePlace(): { folder: string; file: string; remove(): void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-replay-')));
  return {
    folder,
    file: join(folder, 'calls.jsonl'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A server with these tools. */
export async function serverWith(version: string, tools: readonly Tool[]): Promise<McpServer> {
  const server = await createMcpServer({
    name: 'pages',
    version,
    services: [],
    audit: false,
    logger: silentLogger,
    rateLimit: false,
  });
  for (const tool of tools) server.tools.add(tool);
  return server;
}

/** A tool that only reads. */
export const reading = (name: string, handler: Tool['handler'], more: Partial<Tool> = {}): Tool => ({
  name,
  description: `Reads by ${name}.`,
  annotations: { readOnlyHint: true },
  handler,
  ...more,
});

export const revisions = ['2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05'] as const;
export type Revision = (typeof revisions)[number];

/** Records what clients do with a server. */
export async function recorded(
  file: string,
  server: McpServer,
  use: (open: (options?: Parameters<typeof connect>[1]) => Promise<McpClient>) => Promise<unknown>,
): Promise<void> {
  const recorder = recordTo(server, { file });
  const clients: McpClient[] = [];
  await use(async (options) => {
    const client = await connect(server, options);
    clients.push(client);
    return client;
  });
  for (const client of clients) await client.close();
  recorder.close();
}

/** Replays a file against a server, in which each caller has these scopes. */
export async function replayed(
  file: string,
  server: McpServer,
  options: Partial<ReplayOptions> & { scopes?: readonly string[] } = {},
): Promise<ReplayReport> {
  const { scopes = [], ...more } = options;
  return replay(await readRecording(file), {
    open: ({ caller, client }) =>
      connect(server, { ...client, ...(caller && { principal: { ...caller, scopes } satisfies Principal }) }),
    ...more,
  });
}
