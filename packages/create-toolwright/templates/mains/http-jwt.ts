import './compile-cache.js';
import { failStart } from '@toolwright/core';
import { oauthResourceServer, serveHttp } from '@toolwright/http';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';

async function main(): Promise<void> {
  const server = await createServer(process.env['DATA'] ?? '.data');
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
