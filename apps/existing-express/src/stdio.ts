import { serveStdio } from '@toolwright/stdio';
import { Bookshop } from './bookshop.js';
import { createBookshopServer } from './bookshop-server.js';

void createBookshopServer(new Bookshop()).then((server) => serveStdio(server));
