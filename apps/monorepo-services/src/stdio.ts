import { serveStdio } from '@toolwright/stdio';
import { createShopServer } from './shop-server.js';

void createShopServer().then((server) => serveStdio(server));
