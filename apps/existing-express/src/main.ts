import type { AddressInfo } from 'node:net';
import { drainOnSignal } from '@toolwright/express';
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
  // A balancer keeps its connections for 60 s. Node.js would close them after 5 s, and lose a request now and then.
  listener.keepAliveTimeout = 75_000;
  drainOnSignal(server, listener, { drainDelay: Number(process.env.DRAIN_DELAY_MS ?? 0) });
}

void main();
