import { Injectable } from '@nestjs/common';
import { McpTool } from '@toolwright/core';
import { type RefereeClient, referees } from '../../../apps/pages/test/referees.js';
import { McpServerHost } from '../src/index.js';
import { closeApps, mcp, platforms, serve } from './support/apps.js';
import { manifest } from './support/stand.js';

afterAll(closeApps);

@Injectable()
class Stand {
  @McpTool({ annotations: { readOnlyHint: true } })
  sell(what: string): string {
    return `Sold ${what}`;
  }
}

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

describe.each(platforms)('on $name', (platform) => {
  let url: URL;
  const aborted: unknown[] = [];
  const entered: unknown[] = [];
  beforeAll(async () => {
    const { app, url: root } = await serve(
      platform,
      { imports: [mcp({ manifest })], providers: [Stand] },
      (nest) => nest.setGlobalPrefix('api'),
    );
    url = new URL('/api/mcp', root);
    const { tools } = app.get(McpServerHost).server;
    tools.add({
      name: 'ask',
      description: 'Asks.',
      handler: async (_args, { elicit, progress }) => {
        progress(1, 2, 'half');
        return (await elicit<{ name: string }>('who', { message: 'Who?', schema })).content?.name;
      },
    });
    tools.add({
      name: 'hold',
      description: 'Holds.',
      handler: (_args, { signal }) =>
        new Promise((_, reject) => {
          entered.push(signal);
          signal.addEventListener('abort', () => (aborted.push(signal), reject(new Error('aborted'))));
        }),
    });
  });

  describe.each(referees)('$name', ({ connect }) => {
    let client: RefereeClient;
    beforeAll(async () => {
      client = await connect({ url }, { answer: () => ({ name: 'Ada' }) });
    });
    afterAll(() => client.close());

    test('lists and calls', async () => {
      expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual([
        'ask',
        'hold',
        'sell',
      ]);
      const { content } = await client.callTool('sell', { what: 'tea' });
      expect(content).toEqual([{ type: 'text', text: 'Sold tea' }]);
    });

    test('follows progress and is asked', async () => {
      const seen: unknown[] = [];
      const onprogress = ({ message }: { message?: string }) => void seen.push(message);
      const { content } = await client.callTool('ask', {}, { onprogress });
      expect([content, seen]).toEqual([[{ type: 'text', text: 'Ada' }], expect.arrayContaining(['half'])]);
    });

    test('cancels a call', async () => {
      const going = new AbortController();
      const before = entered.length;
      const held = client.callTool('hold', {}, { signal: going.signal });
      while (entered.length === before) await new Promise(setImmediate);
      going.abort();
      await expect(held).rejects.toThrow();
      while (aborted.length < entered.length) await new Promise(setImmediate);
      expect(aborted).toEqual(entered);
    });
  });
});
