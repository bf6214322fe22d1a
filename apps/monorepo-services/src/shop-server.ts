import { Billing, INVOICES, MemoryInvoices } from '@shop/billing';
import { Catalogue, PRODUCTS } from '@shop/catalogue';
import { createMcpServer, type McpServer } from '@toolwright/core';
import { OrderDesk } from './order-desk.js';
import { products } from './products.js';

/** Three packages, three manifests, one server: each class's manifest lies beside the `dist` of its package. */
export function createShopServer(): Promise<McpServer> {
  return createMcpServer({
    name: 'shop',
    version: '1.0.0',
    instructions: 'A shop. Find SKUs with find_products; quote_order says what an order would cost.',
    services: [Catalogue, Billing, OrderDesk],
    providers: [
      { provide: PRODUCTS, useValue: products },
      { provide: INVOICES, useClass: MemoryInvoices },
    ],
  });
}
