import 'reflect-metadata';
import { McpService, McpTool } from '@toolwright/core';
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

  test("the server's own providers go before the resolver", async () => {
    const resolver = { resolve: (token: unknown) => tsyringe.resolve(token as never) };
    const providers = [{ provide: Greetings, useValue: new Greetings({ greet: () => 'own' }) }];
    expect(await answer({ services: [Greetings], manifest, resolver, providers }, 'say', { text: 'x' })).toBe(
      'own',
    );
  });
});
