import type { McpServer } from '@toolwright/core';
import { EmbeddedDatabase } from './database/embedded-database.js';
import { createDesk } from './desk.js';

/** The server for the commands that look at it, such as `toolwright lock`. It serves nobody. */
export async function createServer(): Promise<McpServer> {
  const database = await EmbeddedDatabase.open();
  const { server } = await createDesk(
    { database, stores: [] },
    {
      origin: 'http://127.0.0.1:3000',
      issuer: 'http://127.0.0.1:3001',
      client: { id: 'desk', secret: 'not a secret of anything' },
      secrets: ['not a secret of anything, and long enough'],
      instance: 'desk',
      dataFolder: '.data',
    },
  );
  return server;
}
