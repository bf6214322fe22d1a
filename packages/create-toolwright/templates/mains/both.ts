import './compile-cache.js';
import './guard-stdout.js';
import { join } from 'node:path';
import { failStart } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { serveStdio } from '@toolwright/stdio';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';

async function main(): Promise<void> {
  // A host may start the process in any folder, so the path must not depend on it.
  const server = await createServer(process.env['DATA'] ?? join(import.meta.dirname, '../.data'));
  if (process.argv.includes('--stdio')) {
    await serveStdio(server);
    return;
  }
  const { url } = await serveHttp(server, httpAddress(process.env));
  console.log(`my-server listening on ${url}`);
}

main().catch(failStart);
