import { createServer } from 'node:http';
import { createMcpServer } from '@toolwright/core';
import { mcpHttp } from '@toolwright/http';
import { listen } from '../contestants/listen.js';
import { SERVER_INFO } from '../contestants/work.js';
import { toolsOf } from './definitions.js';

/** Some servers with some tools each, which say their ports. They end with the process that asked for them. */
async function main([servers, tools]: number[]): Promise<void> {
  process.once('disconnect', () => process.exit());
  const definitions = toolsOf(tools!);
  const ports = await Promise.all(
    Array.from({ length: servers! }, async () => {
      const server = await createMcpServer({ ...SERVER_INFO, audit: false, rateLimit: false });
      server.tools.add(definitions);
      return listen(createServer(mcpHttp(server)));
    }),
  );
  process.send!(ports);
}

void main(process.argv.slice(2).map(Number));
