import { Confirm, RequireScopes, type McpServer } from '@toolwright/core';

type ToolDefinition = Parameters<McpServer['tools']['add']>[0];

const id = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' } },
  required: [name],
  additionalProperties: false,
});
const result = (properties: object) => ({ type: 'object', properties }) as const;
const reads = { readOnlyHint: true, openWorldHint: false };

/** The tools of a small shop. */
export const shopTools: ToolDefinition[] = [
  {
    name: 'get_order',
    description: 'Get an order.',
    category: 'orders',
    annotations: reads,
    inputSchema: id('orderId'),
    outputSchema: result({ orderId: { type: 'string' }, state: { type: 'string' } }),
    handler: ({ orderId }) => ({ orderId, state: 'paid' }),
  },
  {
    name: 'cancel_order',
    description: 'Cancel an order that was not sent.',
    category: 'orders',
    inputSchema: id('orderId'),
    handler: () => 'ok',
  },
  {
    name: 'refund_order',
    description: 'Refund an order.',
    category: 'orders',
    inputSchema: id('orderId'),
    outputSchema: result({ refundId: { type: 'string' }, amount: { type: 'number' } }),
    handler: () => ({ refundId: 'r1', amount: 1 }),
  },
  {
    name: 'list_customers',
    description: 'List customers.',
    category: 'customers',
    annotations: reads,
    inputSchema: { type: 'object', properties: { limit: { type: 'integer' } } },
    handler: () => 'ok',
  },
  {
    name: 'delete_customer',
    description: 'Delete a customer for good.',
    category: 'customers',
    annotations: { destructiveHint: true },
    policies: [Confirm.entry(({ customerId }: Record<string, unknown>) => `Delete ${String(customerId)}?`)],
    inputSchema: id('customerId'),
    handler: ({ customerId }) => `deleted ${String(customerId)}`,
  },
  {
    name: 'send_reminder',
    description: 'Remind a customer of a bill.',
    searchTerms: ['dunning', 'overdue'],
    inputSchema: id('customerId'),
    handler: () => 'ok',
  },
  {
    name: 'see_payroll',
    description: 'See the payroll.',
    annotations: reads,
    policies: [RequireScopes.entry('payroll')],
    handler: () => 'all',
  },
];
