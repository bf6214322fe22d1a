import { Confirm, Injectable, McpService, McpTool, ToolContext } from '@toolwright/core';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { answer, boot } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

const file = 'src/tools.ts';

describe('request scope', () => {
  const log: string[] = [];

  @Injectable({ scope: 'request' })
  class Transaction {
    readonly id = log.push('begin');
    constructor(readonly context: ToolContext) {}
    onDispose() {
      log.push(`end of ${String(this.context.requestId)}`);
    }
  }

  @McpService({ scope: 'request' })
  class Tools {
    constructor(private readonly transaction: Transaction) {}
    @McpTool()
    say(text: string): string {
      if (text === 'fail') throw new Error('no');
      return `${text} in ${String(this.transaction.context.requestId)}`;
    }
  }
  const manifest = handMadeManifest({ file, name: 'Tools', methods: { say: ['text'] } });

  test('every call has its own instances, disposed when it ends, even if it fails', async () => {
    const server = await boot({ services: [Tools], manifest });
    const wire = new StatelessWire(server);
    expect(log).toEqual([]);
    expect((await wire.call('say', { text: 'hi' })).result.content[0].text).toBe('hi in 1');
    expect(log).toEqual(['begin', 'end of 1']);
    expect((await wire.call('say', { text: 'fail' })).result.isError).toBe(true);
    expect(log).toEqual(['begin', 'end of 1', 'begin', 'end of 2']);
    await server.close(0);
  });

  test('the question of a call comes from the instance on which its method is called', async () => {
    @McpService({ scope: 'request' })
    class Asking {
      asked = 0;
      @McpTool()
      @Confirm((_args, service: Asking) => `Question ${++service.asked}?`, { fallback: 'argument' })
      count(): string {
        return `asked ${this.asked} times`;
      }
    }
    const server = await boot({
      services: [Asking],
      manifest: handMadeManifest({ file, name: 'Asking', methods: { count: [] } }),
    });
    const wire = new StatelessWire(server);
    await wire.call('count');
    const { content } = (await wire.call('count', { confirmed: true })).result;
    expect(content[0].text).toBe('asked 1 times');
    await server.close(0);
  });

  test('calls at the same time never mix their instances', async () => {
    const server = await boot({ services: [Tools], manifest, rateLimit: false });
    const wire = new StatelessWire(server);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => wire.call('say', { text: `${index}` })),
    );
    expect(answers.map(({ result }) => result.content[0].text)).toEqual(
      answers.map((_, index) => `${index} in ${index + 1}`),
    );
    await server.close(0);
  });

  test('a service in request scope may be built asynchronously', async () => {
    const providers = [
      {
        provide: Transaction,
        scope: 'request' as const,
        useFactory: async () => ({ context: { requestId: 'async' } }),
      },
    ];
    expect(await answer({ services: [Tools], manifest, providers }, 'say', { text: 'x' })).toBe('x in async');
  });
});
