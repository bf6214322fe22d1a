import { Controller, Get, Injectable, Module, Scope } from '@nestjs/common';
import { McpTool } from '@toolwright/core';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { send, modern } from '../../http/test/support/wire.js';
import { McpServerHost } from '../src/index.js';
import { callTool, closeApps, mcp, platforms, serve } from './support/apps.js';

afterEach(closeApps);

const [platform] = platforms;
const file = 'src/tools.ts';
const manifest = handMadeManifest(
  { file, name: 'OrderTools', methods: { order: ['id'] } },
  { file, name: 'OrderController', methods: { list: [] } },
  { file, name: 'Counter', methods: { count: [] } },
);

@Injectable()
class Orders {
  find(id: string) {
    return `order ${id}`;
  }
}

@Injectable()
class OrderTools {
  constructor(private readonly orders: Orders) {}

  @McpTool()
  order(id: string): string {
    return this.orders.find(id);
  }
}

const namesIn = async (url: string): Promise<string[]> => {
  const { json } = await send(url, { ...modern('tools/list'), path: '/mcp' });
  return (json.result.tools as { name: string }[]).map(({ name }) => name);
};

test('a provider of any module is served as Nest has built it', async () => {
  @Module({ providers: [OrderTools, Orders] })
  class OrderModule {}
  const { url } = await serve(platform!, { imports: [OrderModule, mcp({ manifest })] });
  expect(await callTool(url, 'order', { id: '7' })).toBe('order 7');
});

test('a controller may be served, too', async () => {
  @Controller('orders')
  class OrderController {
    @Get()
    @McpTool()
    list(): string {
      return 'no orders';
    }
  }
  const { url } = await serve(platform!, { imports: [mcp({ manifest })], controllers: [OrderController] });
  expect(await callTool(url, 'list')).toBe('no orders');
  expect((await send(url, { method: 'GET', path: '/orders' })).text).toBe('no orders');
});

test.each([
  ['useClass', { provide: 'tools', useClass: OrderTools }],
  [
    'useFactory',
    { provide: 'tools', useFactory: (orders: Orders) => new OrderTools(orders), inject: [Orders] },
  ],
  ['useFactory, async', { provide: 'tools', useFactory: async () => new OrderTools(new Orders()) }],
  ['useValue', { provide: OrderTools, useValue: new OrderTools(new Orders()) }],
])('a provider with %s is served', async (_kind, provider) => {
  const { url } = await serve(platform!, { imports: [mcp({ manifest })], providers: [provider, Orders] });
  expect(await callTool(url, 'order', { id: '7' })).toBe('order 7');
});

test('a class that several modules provide, or that has an alias, is served once', async () => {
  @Module({ providers: [OrderTools, Orders, { provide: 'alias', useExisting: OrderTools }] })
  class First {}
  @Module({ providers: [OrderTools, Orders] })
  class Second {}
  const { url } = await serve(platform!, { imports: [First, Second, mcp({ manifest })] });
  expect(await namesIn(url)).toEqual(['order']);
});

test('`include` names the modules whose providers are served; one app may have several servers', async () => {
  @Injectable()
  class Counter {
    @McpTool()
    count(): string {
      return 'one';
    }
  }
  @Module({ providers: [OrderTools, Orders] })
  class OrderModule {}
  @Module({ providers: [Counter] })
  class CounterModule {}
  const { url } = await serve(platform!, {
    imports: [
      OrderModule,
      CounterModule,
      mcp({ manifest, include: [OrderModule] }),
      mcp({ manifest, include: [CounterModule], path: '/counter' }),
    ],
  });
  expect(await namesIn(url)).toEqual(['order']);
  expect(await callTool(url, 'count', {}, { path: '/counter' })).toBe('one');
});

test('a transient provider has one instance for the server', async () => {
  @Injectable({ scope: Scope.TRANSIENT })
  class Counter {
    #calls = 0;
    @McpTool()
    count(): string {
      return String(++this.#calls);
    }
  }
  const { url } = await serve(platform!, { imports: [mcp({ manifest })], providers: [Counter] });
  expect([await callTool(url, 'count'), await callTool(url, 'count')]).toEqual(['1', '2']);
});

test('a provider may change the server after it has started, and not before', async () => {
  const early: unknown[] = [];
  @Injectable()
  class Plugin {
    constructor(private readonly mcp: McpServerHost) {}
    onModuleInit() {
      try {
        early.push(this.mcp.server);
      } catch (error) {
        early.push((error as Error).message);
      }
    }
    onApplicationBootstrap() {
      this.mcp.server.tools.add({ name: 'ping', description: 'Ping.', handler: () => 'pong' });
    }
  }
  const { url } = await serve(platform!, { imports: [mcp()], providers: [Plugin] });
  expect(await callTool(url, 'ping')).toBe('pong');
  expect(early).toEqual([expect.stringContaining('onApplicationBootstrap')]);
});
