import { join } from 'node:path';
import { runContestant } from './contestant-process.js';
import { freePort, untilListening } from './listen.js';
import { ENDPOINT, SERVER_INFO } from './work.js';

/** mcp-framework finds its tools as one class per file below `<basePath>/tools`: those are generated. */
void runContestant(async ({ transport, progress, generated }) => {
  // Its exports have no "require" condition.
  const { MCPServer } = await import('mcp-framework');
  const basePath = join(generated, progress ? 'mcp-framework-progress' : 'mcp-framework');
  if (transport === 'stdio') {
    void new MCPServer({ ...SERVER_INFO, basePath, transport: { type: 'stdio' } }).start();
    return 0;
  }
  const port = await freePort();
  const responseMode = progress ? ('stream' as const) : ('batch' as const);
  const options = { port, host: '127.0.0.1', endpoint: ENDPOINT, responseMode };
  void new MCPServer({ ...SERVER_INFO, basePath, transport: { type: 'http-stream', options } }).start();
  // start() resolves only when the server stops.
  await untilListening(port);
  return port;
});
