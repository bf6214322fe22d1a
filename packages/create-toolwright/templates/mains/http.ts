import './compile-cache.js';
import { serveHttp } from '@toolwright/http';
import { createServer } from './create-server.js';
import { httpAddress } from './http-address.js';

async function main(): Promise<void> {
  const server = await createServer(process.env['DATA'] ?? '.data');
  const { url } = await serveHttp(server, httpAddress(process.env));
  console.log(`my-server listening on ${url}`);
}

main().catch((error: unknown) => {
  // Errors with a code, such as a wrong option or a port in use, explain themselves. Others need their stack.
  console.error(error instanceof Error && 'code' in error ? error.message : error);
  process.exit(1);
});
