import { once } from 'node:events';
import type { McpServer } from '@toolwright/core';
import type { ObservedMessage } from '@toolwright/core/operate';
import { boot } from './booting.js';
import { RecordingSink } from './recording-sink.js';

/** A server whose methods are called under other names, what is seen of it, and what a test leaves behind. */
export const shop = {
  server: undefined as unknown as McpServer,
  observed: [] as ObservedMessage[],
  audit: new RecordingSink(),
  ends: [] as (() => unknown)[],
};

/** Opens the shop before each test, and closes it afterwards. */
export function useShop(): void {
  const { observed, audit, ends } = shop;
  beforeEach(async () => {
    observed.length = audit.records.length = 0;
    const server = (shop.server = await boot({ services: [], audit }));
    shop.server.tools.add({
      name: 'order',
      description: 'Orders something, and says how it goes.',
      inputSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
      handler: async ({ what }, ctx) => {
        ctx.log.info('ordering');
        ctx.progress(1, 2, 'half');
        const { content } = await ctx.elicit('size', {
          message: 'Which size?',
          schema: { type: 'object', properties: { size: { type: 'string' } } },
        });
        return `${String(what)}, ${String(content?.['size'])}`;
      },
    });
    shop.server.tools.add({
      name: 'keep',
      description: 'Keeps a token.',
      inputSchema: {
        type: 'object',
        properties: { note: { type: 'string' }, token: { type: 'string', writeOnly: true } },
      },
      handler: ({ token }) => `kept ${String(token)}`,
    });
    shop.server.tools.add({
      name: 'slow',
      description: 'Runs on.',
      task: 'optional',
      handler: () => 'at last',
    });
    shop.server.tools.add({
      name: 'hang',
      description: 'Ends when it is cancelled.',
      handler: (_args, { signal }) => once(signal, 'abort').then(() => 'cancelled'),
    });
    shop.server.prompts.add({
      name: 'greet',
      arguments: [{ name: 'who' }],
      complete: { who: (value) => ['Ann', 'Bob'].filter((name) => name.startsWith(value)) },
      handler: ({ who }) => `Greet ${String(who)}.`,
    });
    shop.server.resources.add({
      name: 'notice',
      uri: 'test://notice',
      description: 'A notice.',
      handler: () => 'x',
    });
    shop.server.on('message', (message) => observed.push(message));
  });

  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await shop.server.close(0);
  });
}

/** The methods of all messages, and the parameters of one of them. */
export const saidOnWire = () => shop.observed.map(({ message }) => (message as { method?: string }).method);
export const paramsOnWire = (wanted: string): object =>
  shop.observed
    .map(({ message }) => message as { method?: string; params?: object })
    .find(({ method }) => method === wanted)!.params!;
