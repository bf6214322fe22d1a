import { McpServer, McpService, McpTool, RateLimit, ToolContext } from '@toolwright/core';
import { MemoryEventBus, type ServerEvent } from '@toolwright/core/ports';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { formatManifest } from '@toolwright/manifest';
import { boot, findMethod, serviceModule, temporaryPackages } from './support/booting.js';
import { Late, lateManifest as manifest } from './support/late.js';
import { StatelessWire } from './wire/stateless-wire.js';

const file = 'src/tools.ts';
const makePackage = temporaryPackages();

describe('run-time changes', () => {
  async function observed() {
    const bus = new MemoryEventBus();
    const events: ServerEvent['type'][] = [];
    bus.subscribe(({ type }) => events.push(type));
    const server = await boot({ services: [], manifest, stores: { bus } });
    return { server, wire: new StatelessWire(server), events };
  }

  const echo = {
    name: 'echo',
    description: 'Says it again.',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    handler: ({ text }: Record<string, unknown>, ctx: ToolContext) =>
      `${String(text)} ${String(ctx.requestId)}`,
  };

  test('an added tool has the same guards as a decorated one', async () => {
    const { server, wire, events } = await observed();
    server.tools.add({ ...echo, policies: [RateLimit.entry({ points: 2, per: '1h' })] });
    expect(events).toEqual(['toolsListChanged']);
    expect((await wire.call('echo', { text: 'hi' })).result.content[0].text).toBe('hi 1');
    expect((await wire.call('echo', { text: 5 })).result.isError).toBe(true);
    expect((await wire.call('echo', { text: 'hi' })).result.content[0].text).toContain('Rate limited');
  });

  test('an updated tool keeps its handler and its place', async () => {
    const { server, wire, events } = await observed();
    server.tools.add(echo);
    server.tools.add({ ...echo, name: 'second' });
    server.tools.update('echo', { description: 'Repeats.', annotations: { readOnlyHint: true } });
    expect(server.tools.list().map(({ name, description }) => [name, description])).toEqual([
      ['echo', 'Repeats.'],
      ['second', 'Says it again.'],
    ]);
    expect((await wire.call('echo', { text: 'hi' })).result.content[0].text).toBe('hi 1');
    expect(server.tools.update('nothing', {})).toBeUndefined();
    expect(events).toHaveLength(3);
  });

  test('a removed tool is gone', async () => {
    const { server, wire, events } = await observed();
    server.tools.add(echo);
    expect(server.tools.remove('echo')).toBe(true);
    expect(server.tools.remove('echo')).toBe(false);
    expect((await wire.call('echo', { text: 'hi' })).error?.code).toBe(-32602);
    expect(events).toHaveLength(2);
  });

  test.each([
    ['a name that is taken', echo, 'TW_NAME_DUPLICATE'],
    ['a name that clients refuse', { ...echo, name: 'no spaces' }, 'TW_NAME_INVALID'],
    ['a hidden character', { ...echo, name: 'b', description: 'a\u{E0041}' }, 'TW_TEXT_HIDDEN'],
    [
      'a reference outside',
      {
        ...echo,
        name: 'b',
        inputSchema: { type: 'object', properties: { a: { $ref: 'http://10.0.0.1/' } } },
      },
      'TW_SCHEMA_INVALID',
    ],
    [
      'another dialect',
      {
        ...echo,
        name: 'b',
        inputSchema: { type: 'object', $schema: 'http://json-schema.org/draft-03/schema#' },
      },
      'TW_SCHEMA_INVALID',
    ],
    [
      'an input that is no object',
      { ...echo, name: 'b', inputSchema: { type: 'string' } },
      'TW_SCHEMA_INVALID',
    ],
    [
      'a header on a number',
      {
        ...echo,
        name: 'b',
        inputSchema: { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } },
      },
      'TW_HEADER_INVALID',
    ],
  ])('%s is refused', async (_, definition, code) => {
    const { server } = await observed();
    server.tools.add(echo);
    expect(() => server.tools.add(definition)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ code })] }),
    );
    expect(server.tools.list()).toHaveLength(1);
  });

  test('a list of tools is added at once, and clients hear of it once', async () => {
    const { server, wire, events } = await observed();
    const added = server.tools.add([echo, { ...echo, name: 'second' }]);
    expect(added.map(({ name }) => name)).toEqual(['echo', 'second']);
    expect(server.tools.add([])).toEqual([]);
    expect((await wire.call('second', { text: 'hi' })).result.content[0].text).toBe('hi 1');
    expect(events).toEqual(['toolsListChanged']);
  });

  test('of a list with problems no tool is added, and all problems are reported', async () => {
    const { server, events } = await observed();
    server.tools.add({ ...echo, name: 'first' });
    const list = [echo, { ...echo, name: 'no spaces' }, { ...echo, name: 'first' }, echo];
    expect(() => server.tools.add(list)).toThrow(
      expect.objectContaining({
        problems: ['TW_NAME_INVALID', 'TW_NAME_DUPLICATE', 'TW_NAME_DUPLICATE'].map((code) =>
          expect.objectContaining({ code }),
        ),
      }),
    );
    expect(server.tools.list().map(({ name }) => name)).toEqual(['first']);
    expect(events).toHaveLength(1);
  });

  test('a property with the name of a keyword is only a property', async () => {
    const { server } = await observed();
    const properties = {
      $ref: { type: 'string', default: { $ref: 'http://data/' } },
      $schema: { type: 'string' },
    };
    server.tools.add({ ...echo, inputSchema: { type: 'object', properties } });
    expect(server.tools.list()).toHaveLength(1);
  });

  test('services can be added and removed, and removed ones are disposed', async () => {
    const { server, wire, events } = await observed();
    await server.services.add(Late);
    expect((await wire.call('late', { text: 'x' })).result.content[0].text).toBe('late x');
    await server.services.remove(Late);
    expect(Late.disposed).toBe(1);
    expect(server.tools.list()).toEqual([]);
    expect(await server.services.remove(Late)).toBe(false);
    await server.services.add(Late);
    expect(events).toEqual(['toolsListChanged', 'toolsListChanged', 'toolsListChanged']);
  });

  test('a service may get its server injected, and change what it offers', async () => {
    @McpService()
    class Doors {
      constructor(private readonly server: McpServer) {}
      @McpTool()
      open(name: string): string {
        return this.server.tools.add({ ...echo, name }).name;
      }
    }
    const doors = handMadeManifest({ file, name: 'Doors', methods: { open: ['name'] } });
    const server = await boot({ services: [Doors], manifest: doors });
    const wire = new StatelessWire(server);
    await wire.call('open', { name: 'repeat' });

    expect((await wire.call('repeat', { text: 'hi' })).result.content[0].text).toContain('hi');
  });

  test('a service that is added again uses the manifest that is then beside it', async () => {
    const made = makePackage({ 'dist/tools.js': serviceModule('Tools', findMethod('found')) });
    const publish = (minLength: number) => {
      const schema = { type: 'object', properties: { query: { type: 'string', minLength } } };
      const { schemas, ...rest } = handMadeManifest({
        file: 'src/tools.ts',
        name: 'Tools',
        methods: { find: ['query'] },
      });
      const written = Object.fromEntries(Object.keys(schemas).map((id) => [id, schema]));
      made.write('mcp.manifest.json', formatManifest({ ...rest, schemas: written }));
    };
    const Tools = made.load('dist/tools.js')['Tools']!;
    publish(1);
    const server = await boot({ services: [Tools] });
    await server.services.remove(Tools);
    publish(5);
    await server.services.add(Tools);

    expect(server.tools.list()[0]?.inputSchema).toMatchObject({ properties: { query: { minLength: 5 } } });
  });

  test('prompts and resources change in the same way as tools', async () => {
    const { server, wire, events } = await observed();
    server.prompts.add({
      name: 'hello',
      arguments: [{ name: 'who', required: true }],
      handler: ({ who }) => `Hello ${String(who)}`,
    });
    server.resources.add({ name: 'now', uri: 'time://now', handler: () => 'noon' });
    server.resourceTemplates.add({
      name: 'at',
      uriTemplate: 'time://{zone}',
      handler: ({ zone }) => `noon in ${String(zone)}`,
    });
    expect(events).toEqual(['promptsListChanged', 'resourcesListChanged', 'resourcesListChanged']);
    const prompt = await wire.request('prompts/get', { name: 'hello', arguments: { who: 'you' } });
    expect(prompt.result.messages[0].content.text).toBe('Hello you');
    const read = async (uri: string) =>
      (await wire.request('resources/read', { uri })).result.contents[0].text;
    expect([await read('time://now'), await read('time://rome')]).toEqual(['noon', 'noon in rome']);
  });

  test('middleware that is added later runs for the matching tools', async () => {
    const { server, wire } = await observed();
    server.tools.add(echo);
    server.tools.add({ ...echo, name: 'deadly', annotations: { destructiveHint: true } });
    const seen: string[] = [];
    server.use(
      (call, next) => {
        seen.push(call.operation.name);
        return next();
      },
      { when: ({ annotations }) => annotations.destructiveHint === true },
    );
    await wire.call('echo', { text: 'a' });
    await wire.call('deadly', { text: 'b' });
    expect(seen).toEqual(['deadly']);
  });

  test('a service is disposed after its running calls have ended', async () => {
    const { server, wire } = await observed();
    let finish = () => {};
    @McpService()
    class Slow {
      disposed = false;
      @McpTool()
      async late(_text: string): Promise<string> {
        await new Promise<void>((resolve) => (finish = resolve));
        return `disposed: ${this.disposed}`;
      }
      onDispose() {
        this.disposed = true;
      }
    }
    Object.defineProperty(Slow, 'name', { value: 'Late' });
    await server.services.add(Slow);
    const calling = wire.call('late', { text: 'x' });
    await new Promise((resolve) => setImmediate(resolve));
    const removing = server.services.remove(Slow);
    finish();
    expect((await calling).result.content[0].text).toBe('disposed: false');
    expect(await removing).toBe(true);
  });
});
