import { join } from 'node:path';
import { serveStdio } from '@toolwright/stdio';
import { createServer } from './create-server.js';

async function main(): Promise<void> {
  // Hosts start the process in any folder.
  await serveStdio(await createServer(process.env['DATA'] ?? join(__dirname, '../.data')));
}

void main();
