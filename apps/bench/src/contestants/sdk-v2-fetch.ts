import { createMcpHandler } from '@modelcontextprotocol/server';
import { runHandler } from './fetch-process.js';
import { buildServer } from './sdk-v2-server.js';
import { keptSchemas } from './zod-schemas.js';

void runHandler((settings) => {
  const schemas = keptSchemas();
  return createMcpHandler(() => buildServer(settings, schemas)).fetch;
});
