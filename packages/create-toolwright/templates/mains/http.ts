import { serveHttp } from '@toolwright/express';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';

async function main(): Promise<void> {
  const server = await createServer(process.env['DATA'] ?? '.data');
  const { url } = await serveHttp(server, httpAddress(process.env));
  console.log(`my-server listening on ${url}`);
}

void main();
