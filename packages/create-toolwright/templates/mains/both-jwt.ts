import './compile-cache.js';
import './guard-stdout.js';
import { join } from 'node:path';
import { failStart } from '@toolwright/core';
import { oauthResourceServer, serveHttp } from '@toolwright/http';
import { serveStdio } from '@toolwright/stdio';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';

async function main(): Promise<void> {
  // A host may start the process in any folder, so the path must not depend on it.
  const server = await createServer(process.env['DATA'] ?? join(import.meta.dirname, '../.data'));
  if (process.argv.includes('--stdio')) {
    // A host on this machine starts the process for its own user, who may do everything.
    await serveStdio(server, { principal: { subject: 'local', scopes: ['notes:read', 'notes:write'] } });
    return;
  }
  const oauth = oauthResourceServer({
    resource: required('MCP_RESOURCE'), // tokens must name it as their audience
    issuers: [required('MCP_ISSUER')], // the server finds its keys through its metadata
    scopesSupported: ['notes:read', 'notes:write'], // what clients ask for; name all that your tools need
  });
  const { url } = await serveHttp(server, { ...httpAddress(process.env), oauth });
  console.log(`my-server listening on ${url}`);
}

function required(name: string): string {
  const value = process.env[name];
  if (value) return value;
  console.error(`Set ${name}, such as https://example.com. "npm run dev" sets it by itself.`);
  process.exit(1);
}

main().catch(failStart);
