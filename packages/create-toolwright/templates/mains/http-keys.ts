import './compile-cache.js';
import { join } from 'node:path';
import { failStart } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';
import { openKeys } from './open-keys.js';

async function main(): Promise<void> {
  const folder = process.env['DATA'] ?? '.data';
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
