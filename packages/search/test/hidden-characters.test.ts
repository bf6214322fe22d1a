import type { McpServer } from '@toolwright/core';
import { silentLogger } from '@toolwright/core/ports';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { boot } from '../../core/test/support/booting.js';
import { StatelessWire } from '../../core/test/wire/stateless-wire.js';
import { mountServer } from '../../mount/src/index.js';
import { serveMalicious, tool } from '../../mount/test/support/malicious-upstream.js';
import { openApiTools } from '../../openapi/src/index.js';

/** What a reviewer of a list does not see, and a model reads. */
const codes = ['E0100', 'AD', '2064', '200B', '202E', 'E0041', '1B', '9B', 'FEFF', 'E000'];
const charactersOf = codes.map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
const asWritten = (code: string) => `U+${code.padStart(4, '0')}`;

const open = closedAfterEach();

async function start(toolSearch: boolean): Promise<McpServer> {
  const server = await boot({
    services: [],
    ...(toolSearch && { toolSearch }),
    rateLimit: false,
    logger: silentLogger,
  });
  open.push({ close: () => server.close(0) });
  return server;
}

/** Each place of a definition in which text is listed or searched. */
const places: Record<string, (text: string) => Record<string, unknown>> = {
  'a title': (text) => ({ title: text }),
  'a title of the annotations': (text) => ({ annotations: { title: text } }),
  'a description': (text) => ({ description: text }),
  'a description of an argument': (text) => ({
    inputSchema: { type: 'object', properties: { a: { type: 'string', description: text } } },
  }),
  'the name of an argument': (text) => ({
    inputSchema: { type: 'object', properties: { [text]: { type: 'string' } } },
  }),
  'a value of an argument': (text) => ({
    inputSchema: { type: 'object', properties: { a: { type: 'string', enum: [text] } } },
  }),
  'its results': (text) => ({ outputSchema: { type: 'object', title: text } }),
};
const poisoned = Object.values(places).flatMap((definition, place) =>
  charactersOf.map((character, at) =>
    tool(`find_order_${place}_${at}`, {
      description: 'Finds an order.',
      ...definition(`Order${character}.`),
    }),
  ),
);

const expectClean = (answer: unknown) => {
  const text = JSON.stringify(answer);
  const escapes = charactersOf.map((each) => JSON.stringify(each).slice(1, -1));
  expect(codes.filter((_code, at) => text.includes(escapes[at]!))).toEqual([]);
  return answer;
};

test.each([false, true])(
  'No list and no search shows a tool of a server behind in which something hides (toolSearch: %j)',
  async (toolSearch) => {
    const server = await start(toolSearch);
    const upstream = await serveMalicious();
    open.push(upstream);
    upstream.tools = [...poisoned, tool('find_order', { description: 'Finds an order.' })];
    const mount = await mountServer(server, 'shop', { url: upstream.url });
    open.push(mount);
    const wire = new StatelessWire(server);
    const { result: listed } = await wire.request('tools/list', {});
    expectClean(listed);
    if (!toolSearch) expect(listed.tools).toMatchObject([{ name: 'find_order' }]);
    else {
      const { result } = await wire.call('search_tools', { query: 'find an order', limit: 50 });
      expectClean(result);
      expect(result.structuredContent.tools).toMatchObject([{ name: 'find_order' }]);
    }
    const { left } = mount.status();
    expect(left).toHaveLength(poisoned.length);
    for (const code of codes)
      expect(left.filter(({ reason }) => reason.includes(asWritten(code)))).toHaveLength(
        poisoned.length / codes.length,
      );
  },
);

test.each(Object.entries(places))(
  'A tool of our own is refused when something hides in %s',
  async (_place, of) => {
    const server = await start(false);
    for (const [at, character] of charactersOf.entries()) {
      const definition = {
        name: 'find',
        description: 'Finds.',
        handler: () => 'x',
        ...of(`Order${character}.`),
      };
      expect(() => server.tools.add(definition as never)).toThrow(asWritten(codes[at]!));
    }
  },
);

test('What hides in the description of an API is in no list and in no search', async () => {
  const server = await start(true);
  const text = `Finds${charactersOf.join('')} an order.`;
  const spec = {
    ...{ openapi: '3.1.0', info: { title: `Shop${charactersOf[0]}`, version: '1' } },
    paths: {
      '/orders/{id}': {
        get: {
          ...{
            operationId: 'findOrder',
            summary: text,
            description: text,
            tags: [`orders${charactersOf[3]}`],
          },
          parameters: [
            { name: 'id', in: 'path', required: true, description: text, schema: { type: 'string' } },
          ],
          responses: { 200: { description: text } },
        },
      },
    },
  };
  await openApiTools(server, { spec: spec as never, baseUrl: 'https://shop.example' });
  const wire = new StatelessWire(server);
  const { result } = await wire.call('search_tools', { query: 'find an order', limit: 5 });
  expectClean(result);
  expect(result.structuredContent.tools).toHaveLength(1);
  expectClean((await wire.call('describe_tool', { name: result.structuredContent.tools[0].name })).result);
});

test.each(['describe_tool', 'call_tool'])(
  '%s repeats an unknown name with what hides in it written out',
  async (tool) => {
    const wire = new StatelessWire(await start(true));
    const { result } = expectClean(await wire.call(tool, { name: `find${charactersOf.join('')}` })) as {
      result: { content: [{ text: string }] };
    };
    for (const code of codes) expect(result.content[0].text).toContain(`\\u{${code.toLowerCase()}}`);
  },
);
