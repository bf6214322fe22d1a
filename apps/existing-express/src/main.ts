import type { AddressInfo } from 'node:net';
import { Bookshop } from './bookshop.js';
import { createBookshopApp } from './bookshop-app.js';
import { createBookshopServer } from './bookshop-server.js';

async function main(): Promise<void> {
  const shop = new Bookshop();
  const server = await createBookshopServer(shop);
  const listener = createBookshopApp(shop, server).listen(
    Number(process.env.PORT ?? 3000),
    '127.0.0.1',
    () => {
      console.log(`bookshop listening on http://127.0.0.1:${(listener.address() as AddressInfo).port}`);
    },
  );
  // The app is the one to stop itself, as before: first the calls that are running, then the listener.
  process.once('SIGTERM', () => void server.drain().then(() => listener.close()));
}

void main();
