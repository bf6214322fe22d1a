import { join } from 'node:path';
import { serveHttp } from '@toolwright/http';
import { serveStdio } from '@toolwright/stdio';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';

async function main(): Promise<void> {
  // Hosts start the process in any folder.
  const server = await createServer(process.env['DATA'] ?? join(__dirname, '../.data'));
  if (process.argv.includes('--stdio')) {
    await serveStdio(server);
    return;
  }
  const { url } = await serveHttp(server, httpAddress(process.env));
  console.log(`my-server listening on ${url}`);
}

main().catch((error: unknown) => {
  // A wrong set-up and a port that is taken say what they are; other errors need their stack.
  console.error(error instanceof Error && 'code' in error ? error.message : error);
  process.exit(1);
});
