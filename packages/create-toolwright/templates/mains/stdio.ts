import { join } from 'node:path';
import { serveStdio } from '@toolwright/stdio';
import { createServer } from './create-server.js';

async function main(): Promise<void> {
  // Hosts start the process in any folder.
  await serveStdio(await createServer(process.env['DATA'] ?? join(__dirname, '../.data')));
}

main().catch((error: unknown) => {
  // A wrong set-up and a port that is taken say what they are; other errors need their stack.
  console.error(error instanceof Error && 'code' in error ? error.message : error);
  process.exit(1);
});
