import { serveHttp } from '@toolwright/http';
import { createShopServer } from './shop-server.js';

async function main(): Promise<void> {
  const { url } = await serveHttp(await createShopServer(), { port: Number(process.env.PORT ?? 3000) });
  console.log(`shop listening on ${url}`);
}

void main();
