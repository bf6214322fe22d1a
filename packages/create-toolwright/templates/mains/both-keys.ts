import './compile-cache.js';
import './guard-stdout.js';
import { join } from 'node:path';
import { failStart } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { serveStdio } from '@toolwright/stdio';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';
import { openKeys } from './open-keys.js';

async function main(): Promise<void> {
  // A host may start the process in any folder, so the path must not depend on it.
  const folder = process.env['DATA'] ?? join(import.meta.dirname, '../.data');
  if (process.argv.includes('--stdio')) {
    const server = await createServer(join(folder, 'notes'));
    // A host on this machine starts the process for its own user, who may do everything.
    await serveStdio(server, { principal: { subject: 'local', scopes: ['notes:read', 'notes:write'] } });
    return;
  }
  const { keys, shared } = await openKeys(folder);
  const server = await createServer(join(folder, 'notes'), shared);
  await keys.attach(server); // the console of "npm run dev" shows, makes and ends keys
  const { url } = await serveHttp(server, {
    ...httpAddress(process.env),
    authenticate: keys.authenticate,
  });
  console.log(`my-server listening on ${url}`);
}

main().catch(failStart);
