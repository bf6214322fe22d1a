import './compile-cache.js';
import './guard-stdout.js';
import { join } from 'node:path';
import { failStart } from '@toolwright/core';
import { oauthResourceServer, serveHttp } from '@toolwright/http';
import { serveStdio } from '@toolwright/stdio';
import { accountApi } from './account-api.js';
import { openConnections } from './connections.js';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';
import { openStores } from './open-stores.js';

async function main(): Promise<void> {
  // A host may start the process in any folder, so the path must not depend on it.
  const folder = process.env['DATA'] ?? join(import.meta.dirname, '../.data');
  if (process.argv.includes('--stdio')) {
    const server = await createServer(join(folder, 'notes'));
    // A host on this machine starts the process for its own user, who may do everything.
    await serveStdio(server, { principal: { subject: 'local', scopes: ['notes:read', 'notes:write'] } });
    return;
  }
  const resource = required('MCP_RESOURCE'); // tokens must name it as their audience
  const issuer = required('MCP_ISSUER'); // the server finds its keys through its metadata
  const oauth = oauthResourceServer({
    resource,
    issuers: [issuer],
    scopesSupported: ['notes:read', 'notes:write'], // what clients ask for; name all that your tools need
    ...(await openConnections(resource, issuer)),
  });
  const server = await createServer(join(folder, 'notes'), await openStores(folder));
  const pages = accountApi(process.env, issuer);
  const { url } = await serveHttp(server, { ...httpAddress(process.env), oauth, ...(pages && { pages }) });
  console.log(`my-server listening on ${url}`);
}

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`Set ${name}, such as https://example.com. "npm run dev" sets it by itself.`);
  process.exit(1);
}

main().catch(failStart);
