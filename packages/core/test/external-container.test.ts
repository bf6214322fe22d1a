import 'reflect-metadata';
import {
  createMcpServer,
  McpService,
  McpTool,
  ToolError,
  type ExternalResolver,
  type Provider,
} from '@toolwright/core';
import { container as tsyringe, singleton } from 'tsyringe';
import { silentLogger } from '@toolwright/core/ports';
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
        ...{ name: 'x', version: '1', services: [Counter], manifest: counting, audit: false },
        logger: silentLogger,
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

  describe('a resolver that knows scopes and runs around methods', () => {
    const heard: unknown[] = [];
    afterEach(() => heard.splice(0));

    @McpService()
    class Desk {
      constructor(readonly name: string) {}
      @McpTool()
      say(text: string): string {
        return `${this.name}: ${text}`;
      }
    }
    @McpService({ scope: 'session' })
    class Chosen {
      @McpTool()
      say(text: string): string {
        return text;
      }
    }
    const desk = handMadeManifest({ file, name: 'Desk', methods: { say: ['text'] } });

    test('builds an instance for each call, and sees which call it is for', async () => {
      let built = 0;
      const calls = new Set<unknown>();
      const resolver: ExternalResolver = {
        resolve: (_token, call) => (calls.add(call), new Desk(`desk ${++built} for ${call?.operation.name}`)),
        has: (token) => token === Desk,
        scope: () => 'request',
      };
      const options = { services: [Desk], manifest: desk, resolver };
      expect(await answer(options, 'say', { text: 'x' })).toBe('desk 1 for say: x');
      expect(calls.size).toBe(1);
    });

    test('runs around methods: it sees the call and the instance, and answers in the place of the method', async () => {
      const instance = new Desk('desk');
      const resolver: ExternalResolver = {
        resolve: () => instance,
        has: (token) => token === Desk,
        around: (member) => {
          heard.push(member);
          return async (call, target, proceed) =>
            `${call.operation.name} on ${target === instance}: <${String(await proceed())}>`;
        },
      };
      const options = { services: [Desk], manifest: desk, resolver };
      expect(await answer(options, 'say', { text: 'x' })).toBe('say on true: <desk: x>');
      expect(heard).toEqual([{ target: Desk, name: 'say', static: false }]);
    });

    test('what runs around a method may refuse the call', async () => {
      const resolver: ExternalResolver = {
        resolve: () => new Desk('desk'),
        has: (token) => token === Desk,
        around: () => () => {
          throw new ToolError('Not for you.');
        },
      };
      expect(await answer({ services: [Desk], manifest: desk, resolver }, 'say', { text: 'x' })).toBe(
        'Not for you.',
      );
    });

    test('the server does not start if a class declares another scope than its container gives it', async () => {
      const resolver: ExternalResolver = { resolve: () => new Chosen(), scope: () => 'singleton' };
      const manifest = handMadeManifest({ file, name: 'Chosen', methods: { say: ['text'] } });
      await expect(answer({ services: [Chosen], manifest, resolver }, 'say', { text: 'x' })).rejects.toThrow(
        /Chosen declares the scope 'session', but its own container gives it the scope 'singleton'/,
      );
    });
  });
});
