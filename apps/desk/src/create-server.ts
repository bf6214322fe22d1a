import type { McpServer } from '@toolwright/core';
import type { Database } from './database/database.js';
import { createDesk } from './desk.js';

/** The server for the commands that look at it, such as `toolwright lock`. It serves nobody, and opens no database. */
export async function createServer(): Promise<McpServer> {
  const { server } = await createDesk(
    { database: nowhere, stores: [] },
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

const refuse = () => Promise.reject(new Error('This server serves nobody.'));
const nowhere: Database = { query: refuse, transaction: refuse, close: () => Promise.resolve() };
