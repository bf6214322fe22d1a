import 'reflect-metadata';
import { Injectable, Module, type LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { McpTool } from '@toolwright/core';
import { connect } from '@toolwright/testing';
import { McpModule, McpServerHost } from '../src/index.js';
import { callTool, closeApps, mcp, moduleOf, platforms, serve } from './support/apps.js';
import { manifest } from './support/stand.js';

afterEach(closeApps);

@Injectable()
class Stock {
  name = 'the stock';
}

@Injectable()
class Stand {
  constructor(private readonly stock: Stock) {}
  @McpTool()
  sell(what: string): string {
    return `${what} from ${this.stock.name}`;
  }
}

test('the server starts after every `onModuleInit`, and is drained before any `onModuleDestroy`', async () => {
  const heard: string[] = [];
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  @Injectable()
  class Database {
    constructor(readonly mcp: McpServerHost) {}
    onModuleInit() {
      heard.push('open');
    }
    onApplicationBootstrap() {
      heard.push(`serving ${this.mcp.server.info.name}`);
      const handler = async () => (heard.push('call'), await held, heard.push('answer'), 'done');
      this.mcp.server.tools.add({ name: 'slow', description: 'Slow.', handler });
    }
    onModuleDestroy() {
      heard.push(`close, draining: ${this.mcp.server.protocol.draining}`);
    }
  }
  const { app, url } = await serve(platforms[0]!, { imports: [mcp()], providers: [Database] });
  const answer = callTool(url, 'slow');
  while (!heard.includes('call')) await new Promise(setImmediate);
  const closed = app.close();
  await new Promise(setImmediate);
  release();
  expect(await answer).toBe('done');
  await closed;
  expect(heard).toEqual(['open', 'serving nest', 'call', 'answer', 'close, draining: true']);
});

test('closing the app closes the server', async () => {
  const { app } = await serve(platforms[0]!, { imports: [mcp()] });
  const { server } = app.get(McpServerHost);
  await app.close();
  await expect(server.services.add(Stand)).rejects.toThrow();
});

test('what is wrong fails the start, with all problems', async () => {
  const broken = serve(platforms[0]!, { imports: [mcp({ manifest: [] })], providers: [Stand, Stock] });
  await expect(broken).rejects.toThrow(/Stand/);
  const misspelt = { htpp: {} } as object;
  await expect(serve(platforms[0]!, { imports: [mcp(misspelt)] })).rejects.toThrow(/"htpp"/);
  const inside = { http: { alowedHosts: [] } } as object;
  await expect(serve(platforms[0]!, { imports: [mcp(inside)] })).rejects.toThrow(/http.alowedHosts/);
});

test('the server logs with the logger of the app', async () => {
  const lines: unknown[][] = [];
  const keep = (...line: unknown[]) => void lines.push(line);
  const logger: LoggerService = { log: keep, error: keep, warn: keep };
  const options = {
    name: 'nest',
    version: '1',
    manifest,
    http: { principal: () => Promise.reject(new Error('no', { cause: new Error('away') })) },
  };
  const { url } = await serve(
    platforms[0]!,
    { imports: [McpModule.forRoot(options)], providers: [Stand, Stock] },
    (app) => app.useLogger(logger),
  );
  expect(await callTool(url, 'sell', { what: 'tea' })).toBe(500);
  expect(lines).toContainEqual([
    'The MCP endpoint failed.',
    expect.stringMatching(/^Error: no\n +at [^]*Error: away/),
    'McpServer',
  ]);
  // nestjs-pino drops what follows the text, and nest-winston takes it for the context.
  expect(lines).toContainEqual([
    expect.stringMatching(/has no annotations.* \{"tool":"sell".*\}$/),
    'McpServer',
  ]);
});

describe('`forRootAsync`', () => {
  @Injectable()
  class Settings {
    readonly version = '7.0.0';
    create() {
      return { name: 'made', version: this.version };
    }
  }
  @Module({ providers: [Settings], exports: [Settings] })
  class SettingsModule {}

  test.each([
    [
      'useFactory',
      {
        imports: [SettingsModule],
        inject: [Settings],
        useFactory: async (settings: Settings) => settings.create(),
      },
    ],
    ['useClass', { useClass: Settings }],
    ['useExisting', { imports: [SettingsModule], useExisting: Settings }],
  ])('takes %s', async (_kind, options) => {
    const module = McpModule.forRootAsync({ ...options, path: '/own' });
    const { app, url } = await serve(platforms[0]!, { imports: [module] });
    const { server } = app.get(McpServerHost);
    expect(server.info).toMatchObject({ name: 'made', version: '7.0.0' });
    server.tools.add({ name: 'ping', description: 'Ping.', handler: () => 'pong' });
    expect(await callTool(url, 'ping', {}, { path: '/own' })).toBe('pong');
  });
});

test('a testing module serves with what it overrides, without a port', async () => {
  const testing = await Test.createTestingModule({ imports: [mcp({ manifest })], providers: [Stand, Stock] })
    .overrideProvider(Stock)
    .useValue({ name: 'a stub' })
    .compile();
  await testing.init();
  const client = await connect(testing.get(McpServerHost).server);
  expect(await client.callText('sell', { what: 'tea' })).toBe('tea from a stub');
  await client.close();
  await testing.close();
});

test('an application context serves without HTTP', async () => {
  const root = moduleOf({ imports: [mcp({ manifest })], providers: [Stand, Stock] });
  const context = await NestFactory.createApplicationContext(root, { logger: false });
  const client = await connect(context.get(McpServerHost).server);
  expect(await client.callText('sell', { what: 'tea' })).toBe('tea from the stock');
  await client.close();
  await context.close();
});
