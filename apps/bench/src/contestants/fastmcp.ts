import { FastMCP } from 'fastmcp';
import { runContestant } from './contestant-process.js';
import { freePort } from './listen.js';
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
import { countSchema, measureSchema } from './zod-schemas.js';

void runContestant(async ({ tools, progress, transport, dialect }) => {
  const server = new FastMCP({ ...SERVER_INFO, version: '1.0.0', utils: {} });
  for (let index = 0; index < tools; index++) {
    server.addTool({
      name: toolName(index),
      description: MEASURE_DESCRIPTION,
      parameters: measureSchema(),
      execute: async ({ text, size }) => measure(text, size),
    });
  }
  if (progress) {
    server.addTool({
      name: COUNT_TOOL,
      description: COUNT_DESCRIPTION,
      parameters: countSchema(),
      execute: async ({ steps }, { reportProgress }) => {
        for (let done = 1; done <= steps; done++) await reportProgress({ progress: done, total: steps });
        return countResult(steps);
      },
    });
  }
  if (transport === 'stdio') {
    await server.start({ transportType: 'stdio' });
    return 0;
  }
  const port = await freePort();
  await server.start({
    transportType: 'httpStream',
    httpStream: {
      host: '127.0.0.1',
      port,
      endpoint: ENDPOINT,
      enableJsonResponse: !progress,
      stateless: dialect === 'stateless',
    },
  });
  return port;
});
