import type { McpServer } from '@toolwright/core';
import { boot } from '../support/booting.js';
import { StatefulWire } from '../wire/stateful-wire.js';
import { StatelessWire } from '../wire/stateless-wire.js';

const THINGS = ['order', 'orders', 'invoice', 'invoices', 'customer', 'bill', 'payroll', 'label', 'shipment'];

/** Adds one operation of each kind that is about a thing. */
function add(server: McpServer, thing: string): void {
  const shared = { description: `About ${thing}.`, handler: () => thing };
  server.tools.add({ ...shared, name: `get_${thing}` });
  server.prompts.add({ ...shared, name: `ask_${thing}`, arguments: [{ name: 'who', required: true }] });
  server.resources.add({ ...shared, name: thing, uri: `shop://${thing}` });
  server.resourceTemplates.add({ ...shared, name: thing, uriTemplate: `shop://${thing}/{id}` });
}

const cursorOf = (list: string, last: string) =>
  Buffer.from(JSON.stringify([list, last])).toString('base64url');

/** What a caller may ask: whole lists, pages that begin at any operation, and everything by any name. */
function questions(): (readonly [method: string, params: Record<string, unknown>])[] {
  const argument = { name: 'who', value: 'a' };
  return [
    ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map(
      (method) => [method, {}] as const,
    ),
    ...THINGS.flatMap((thing) => [
      ['tools/list', { cursor: cursorOf('tools', `get_${thing}`) }] as const,
      ['resources/list', { cursor: cursorOf('resources', `shop://${thing}`) }] as const,
      ['tools/call', { name: `gett_${thing}` }] as const,
      ['tools/call', { name: `get_${thing}`, arguments: { x: 1 } }] as const,
      ['prompts/get', { name: `asks_${thing}` }] as const,
      ['prompts/get', { name: `ask_${thing}`, arguments: {} }] as const,
      ['resources/read', { uri: `shop://${thing}` }] as const,
      ['resources/read', { uri: `shop://${thing}/1` }] as const,
      ['completion/complete', { ref: { type: 'ref/prompt', name: `ask_${thing}` }, argument }] as const,
      ['completion/complete', { ref: { type: 'ref/resource', uri: `shop://${thing}` }, argument }] as const,
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: `shop://${thing}/{id}` }, argument: { name: 'id', value: '' } },
      ] as const,
    ]),
  ];
}

/** The pages of a list have two operations each, so that hidden ones would move their ends. */
async function serverOf(things: readonly string[], hidden: readonly string[]): Promise<McpServer> {
  const server = await boot({
    services: [],
    rateLimit: false,
    audit: false,
    lists: { pageSize: 2 },
    authorize: (_, { name }) => !hidden.includes(name.replace(/^(?:get|ask)_/, '')),
  });
  for (const thing of things) add(server, thing);
  return server;
}

/** The questions that a caller of the two servers gets different answers to. */
async function differences(one: McpServer, other: McpServer): Promise<string[]> {
  const wires = [one, other].flatMap((server) => [
    StatelessWire.of(server, 'ann'),
    new StatefulWire(server, { subject: 'ann' }),
  ]);
  const found: string[] = [];
  for (const [method, params] of questions()) {
    const answers: string[] = [];
    for (const wire of wires)
      answers.push(JSON.stringify({ ...(await wire.request(method, params)), id: 0 }));
    const [stateless, stateful, ...others] = answers;
    if (stateless !== others[0] || stateful !== others[1]) found.push(JSON.stringify([method, params]));
  }
  return found;
}

test.each([3, 10, 77, 100, 255, 300])(
  'A caller gets the same answers, byte for byte, with and without hidden operations: those of the bits of %i',
  async (mask) => {
    const hidden = THINGS.filter((_, at) => (mask & (1 << at)) === 0);
    const visible = THINGS.filter((thing) => !hidden.includes(thing));
    const alone = await serverOf(visible, hidden);
    const among = await serverOf(THINGS, hidden);
    expect(await differences(alone, among)).toEqual([]);
    await Promise.all([alone.close(0), among.close(0)]);
  },
);
