import { McpService, McpTool } from '@toolwright/core';
import { MemoryEventBus } from '@toolwright/core/ports';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot } from './support/booting.js';
import { Late, lateManifest as manifest } from './support/late.js';
import { StatelessWire } from './wire/stateless-wire.js';

const file = 'src/tools.ts';

describe('a newer version of a service', () => {
  const hold = (name: string, methods: string[]) =>
    handMadeManifest({ file, name, methods: Object.fromEntries(methods.map((each) => [each, ['text']])) });

  function version(name: string, answer: (text: string) => unknown) {
    @McpService()
    class Versioned {
      static disposed = 0;
      @McpTool({ name: 'same' })
      late(text: string): unknown {
        return answer(text);
      }
      onDispose() {
        Versioned.disposed++;
      }
    }
    Object.defineProperty(Versioned, 'name', { value: name });
    return Versioned;
  }

  test('replaces the older one at once, and running calls end on the older one', async () => {
    let finish: (text: string) => void = () => undefined;
    const First = version('First', () => new Promise((resolve) => (finish = resolve)));
    const Second = version('Second', (text) => `second ${text}`);
    const bus = new MemoryEventBus();
    let changes = 0;
    bus.subscribe(() => void changes++);
    const server = await boot({
      services: [First, Late],
      manifest: [hold('First', ['late']), hold('Second', ['late']), manifest],
      stores: { bus },
    });
    const wire = new StatelessWire(server);
    const names = () => server.tools.list().map(({ name }) => name);
    expect(names()).toEqual(['same', 'late']);
    changes = 0;

    const running = wire.call('same', { text: 'x' });
    const { retired } = await server.services.replace(new Map([[First, Second]]));
    expect((await wire.call('same', { text: 'x' })).result.content[0].text).toBe('second x');
    expect(First.disposed).toBe(0);
    finish('first');
    expect((await running).result.content[0].text).toBe('first');
    await retired;
    expect(First.disposed).toBe(1);
    expect([names(), changes]).toEqual([['same', 'late'], 1]);
    expect(server.services.list()).toEqual([Late, Second]);
  });

  test('that cannot be built leaves the older one as it was', async () => {
    const First = version('First', () => 'first');
    const server = await boot({ services: [Late], manifest });
    @McpService()
    class Broken {
      constructor(readonly missing: Map<string, string>) {}
      @McpTool()
      late(text: string): string {
        return text;
      }
    }
    await expect(server.services.replace(new Map([[Late, Broken]]))).rejects.toThrow('TW_MANIFEST_UNMATCHED');
    await server.services.replace(new Map([[First, Late]]));
    expect(server.services.list()).toEqual([Late]);
  });

  test('may be the same class with another manifest, and its instance stays', async () => {
    Late.disposed = 0;
    const described = { ...manifest, entries: manifest.entries.map((entry) => ({ ...entry })) };
    const server = await boot({ services: [Late], manifest: () => described });
    described.entries[0]!.description = 'Newly described.';
    await server.services.replace(new Map([[Late, Late]]));
    expect(server.tools.list().map(({ description }) => description)).toEqual(['Newly described.']);
    expect(Late.disposed).toBe(0);
  });
});
