import { serveHttp } from '@toolwright/express';
import { createServer } from './create-server.js';

async function main(): Promise<void> {
  const server = await createServer(process.env['DATA'] ?? '.data');
  const { url } = await serveHttp(server, { port: Number(process.env['PORT'] ?? 3000) });
  console.log(`my-server listening on ${url}`);
}

void main();
