import './compile-cache.js';
import { failStart } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';

async function main(): Promise<void> {
  const server = await createServer(process.env['DATA'] ?? '.data');
  const { url } = await serveHttp(server, httpAddress(process.env));
  console.log(`my-server listening on ${url}`);
}

main().catch(failStart);
