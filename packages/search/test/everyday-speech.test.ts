import type { McpServer } from '@toolwright/core';
import { boot } from '../../core/test/support/booting.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { shopTools } from './support/shop-tools.js';

let server: McpServer;
afterAll(() => server.close(0));

const others = [
  ['update_order', 'Update an order.'],
  ['list_webhooks', 'List webhooks.'],
  ['delete_webhook', 'Delete a webhook.'],
  ['invite_member', 'Invite a member to the team.'],
  ['remove_member', 'Remove a member from the team.'],
  ['update_dns_record', 'Update a DNS record of a domain.'],
  ['get_domain', 'Get a domain.'],
  ['find_user_by_email', 'Find a user by email.'],
] as const;

let wire: StatelessWire;
beforeAll(async () => {
  server = await boot({ services: [], toolSearch: true, rateLimit: false });
  server.tools.add(shopTools);
  for (const [name, description] of others)
    server.tools.add({ name, description, category: 'others', handler: () => 'ok' });
  wire = new StatelessWire(server);
});

const first = async (query: string) => {
  const { result } = await wire.call('search_tools', { query });
  return result.structuredContent.tools[0]?.name as string;
};

// No query shares a word with its tool.
test.each([
  ['a phrase', 'she wants her money back', 'refund_order'],
  ['a phrase with other words between its parts', 'please call the whole purchase off', 'cancel_order'],
  ['a phrase in another form', 'our buyer got forgotten, erase him', 'delete_customer'],
  ['a question', 'which buyers do we have', 'list_customers'],
  ['what shall no longer happen', 'stop calling our server', 'delete_webhook'],
  ['somebody who comes', 'I want my mate on board', 'invite_member'],
  ['somebody who goes', 'throw this guy out', 'remove_member'],
  ['an address of a site', 'what is shop.example.com', 'get_domain'],
  ['an address of mail', 'who is jo@acme.com', 'find_user_by_email'],
])('People find a tool by %s', async (_, query, name) => {
  expect(await first(query)).toBe(name);
});

// None of these is a phrase that the search has: each has most words of one.
test.each([
  ['in another order', 'the money, can she please have it back', 'refund_order'],
  ['with other words between', 'the parcel he sent us came all broken and back', 'refund_order'],
])('People find a tool by nearly a phrase: %s', async (_, query, name) => {
  expect(await first(query)).toBe(name);
});

// It reads like neither speech nor an API: no word says that one person talks to another.
test('A query that no tool has words of is read as speech, too', async () => {
  expect(await first('money back')).toBe('refund_order');
  expect(await first('throw guys out')).toBe('remove_member');
});

test('What people say in words of APIs still means what it says', async () => {
  expect(await first('update order')).toBe('update_order');
  expect(await first('I want to update a DNS record')).toBe('update_dns_record');
});
