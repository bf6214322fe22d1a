import type { McpServer } from '@toolwright/core';
import { callerOf } from './caller-of.js';

/** What a tenant has plugged in: a look into its own customer system. */
interface PlugIn {
  readonly tenant: string;
  readonly description: string;
  lookUp(customer: string): Record<string, unknown> | undefined;
}

const plugIns: readonly PlugIn[] = [
  {
    tenant: 'acme',
    description: 'Look up a customer in the shop of Acme. Returns what the customer has bought.',
    lookUp: (customer) => shop.get(customer),
  },
  {
    tenant: 'globex',
    description: 'Look up a customer in the depots of Globex. Returns the parcels that are on their way.',
    lookUp: (customer) => depots.get(customer),
  },
];

const shop = new Map([
  ['iris@example.com', { bought: ['Kettle', 'Tea strainer'] }],
  ['noah@example.com', { bought: ['Teapot'] }],
]);

const depots = new Map([['depot@example.org', { parcels: 12, depot: 'Lyon' }]]);

/**
 * Adds the tool of each plug-in. All have one name, and each tenant sees its own. A real desk reads them from a table, and
 * adds and removes them while it runs.
 */
export function addPlugIns(server: McpServer): void {
  for (const { tenant, description, lookUp } of plugIns)
    server.tools.add({
      name: 'look_up_customer',
      description,
      annotations: { readOnlyHint: true, openWorldHint: false },
      inputSchema: {
        type: 'object',
        properties: { customer: { type: 'string', description: 'email address, as tickets have it' } },
        required: ['customer'],
        additionalProperties: false,
      },
      for: (principal) => principal?.tenant === tenant,
      handler: ({ customer }, ctx) => ({
        customer,
        tenant: callerOf(ctx).tenant,
        ...(lookUp(String(customer)) ?? { known: false }),
      }),
    });
}
