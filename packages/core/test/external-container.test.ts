import 'reflect-metadata';
import { createMcpServer, McpService, McpTool, type ExternalResolver, type Provider } from '@toolwright/core';
import { container as tsyringe, singleton } from 'tsyringe';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { answer } from './support/booting.js';

const file = 'src/tools.ts';

describe('another container', () => {
  @singleton()
  class Greeter {
    greet(text: string) {
      return `Hello ${text}`;
    }
  }

  @singleton()
  @McpService()
  class Greetings {
    constructor(private readonly greeter: Greeter) {}
    @McpTool()
    say(text: string): string {
      return this.greeter.greet(text);
    }
  }
  const manifest = handMadeManifest({ file, name: 'Greetings', methods: { say: ['text'] } });

  test('tsyringe owns the instances when it is the resolver', async () => {
    const resolver = { resolve: (token: unknown) => tsyringe.resolve(token as never) };
    expect(await answer({ services: [Greetings], manifest, resolver }, 'say', { text: 'x' })).toBe('Hello x');
  });

  test("the server's own providers come before the resolver", async () => {
    const resolver = { resolve: (token: unknown) => tsyringe.resolve(token as never) };
    const providers = [{ provide: Greetings, useValue: new Greetings({ greet: () => 'own' }) }];
    expect(await answer({ services: [Greetings], manifest, resolver, providers }, 'say', { text: 'x' })).toBe(
      'own',
    );
  });

  describe('classes with the hooks of Nest', () => {
    const heard: string[] = [];
    afterEach(() => heard.splice(0));

    @McpService()
    class Counter {
      onModuleInit() {
        heard.push('init');
      }
      onModuleDestroy() {
        heard.push('destroy');
      }
      @McpTool()
      count(): string {
        return 'one';
      }
    }
    const counting = handMadeManifest({ file, name: 'Counter', methods: { count: [] } });
    const boot = (resolver: ExternalResolver, providers: readonly Provider[] = []) =>
      createMcpServer({
        name: 'x',
        version: '1',
        services: [Counter],
        manifest: counting,
        audit: false,
        resolver,
        providers,
      });

    test('get both calls from the container that owns them', async () => {
      const server = await boot({ resolve: () => undefined, has: () => false }, [Counter]);
      expect(heard).toEqual(['init']);
      await server.close();
      expect(heard).toEqual(['init', 'destroy']);
    });

    test('get no calls from the server if a resolver owns them', async () => {
      const counter = new Counter();
      const server = await boot({ resolve: () => counter, has: (token) => token === Counter });
      await server.close();
      expect(heard).toEqual([]);
    });
  });
});
