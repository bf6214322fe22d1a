import { createMcpServer, type McpServer } from '@toolwright/core';
import { Bookshop } from './bookshop.js';
import { BookshopTools } from './bookshop-tools.js';

/** The MCP side of the shop, on the very shop that the app serves. */
export function createBookshopServer(shop: Bookshop): Promise<McpServer> {
  return createMcpServer({
    name: 'bookshop',
    version: '1.0.0',
    services: [BookshopTools],
    providers: [{ provide: Bookshop, useValue: shop }],
  });
}
