import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { silentLogger } from '@toolwright/core/ports';
import { connectV1 } from './support/v1-client.js';
import { connectV2 } from './support/v2-client.js';

const SEARCH = ['search_tools', 'describe_tool', 'call_tool', 'load_group'];

/** What the clients have in common, whatever their version. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: object }): Promise<unknown>;
  close(): Promise<void>;
}

let server: McpServer;
let served: Awaited<ReturnType<typeof serveHttp>>;
const open: { close(): Promise<unknown> }[] = [];

/** A server with a group. Where it knows callers, all are ann. */
async function serve({ knowsCallers }: { knowsCallers: boolean }): Promise<void> {
  server = await createMcpServer({
    name: 'shop',
    version: '1.0.0',
    services: [],
    audit: false,
    rateLimit: false,
    logger: silentLogger,
    toolSearch: true,
  });
  const tool = (name: string) => ({
    name,
    description: `Is ${name}.`,
    group: 'billing',
    annotations: { readOnlyHint: true },
    handler: () => `done: ${name}`,
  });
  server.tools.add([tool('send_bill'), tool('show_bill')]);
  const authenticate = () => ({ principal: { subject: 'ann', scopes: [] } });
  served = await serveHttp(server, { port: 0, signals: false, ...(knowsCallers && { authenticate }) });
}
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await served.close();
  await server.close(0);
});

const namesOf = async (client: AnyClient) => (await client.listTools()).tools.map(({ name }) => name);
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;
const load = async (client: AnyClient) => {
  const result = await client.callTool({ name: 'load_group', arguments: { group: 'billing' } });
  return (result as { structuredContent: { listed: boolean; tools: { name: string }[] } }).structuredContent;
};

const withSessions = {
  'The official client v1': () => connectV1('http', served.url),
  'The official client v2 on a revision with sessions': () =>
    connectV2({ transport: 'http', url: served.url, era: 'legacy' }),
};

test.each(Object.keys(withSessions) as (keyof typeof withSessions)[])(
  '%s hears that a group is in its list, and another session does not have it',
  async (name) => {
    await serve({ knowsCallers: false });
    // The first list says what call_tool may do by now, which is a change, too.
    const first = await withSessions[name]();
    open.push(first.client);
    await namesOf(first.client as AnyClient);
    const [{ client, heard }, other] = [await withSessions[name](), await withSessions[name]()];
    open.push(client, other.client);
    expect(await namesOf(client as AnyClient)).toEqual(SEARCH);
    expect(await load(client as AnyClient)).toMatchObject({ listed: true });
    while (heard.toolChanges === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await namesOf(client as AnyClient)).toEqual([...SEARCH, 'send_bill', 'show_bill']);
    expect(textOf(await client.callTool({ name: 'send_bill', arguments: {} }))).toBe('done: send_bill');
    expect(await namesOf(other.client as AnyClient)).toEqual(SEARCH);
    expect(other.heard.toolChanges).toBe(0);
  },
);

test('The official client v2 on 2026-07-28 hears it while it listens', async () => {
  await serve({ knowsCallers: true });
  const { client, heard } = await connectV2({ transport: 'http', url: served.url, era: 'modern' });
  open.push(client);
  const subscription = await client.listen({ toolsListChanged: true });
  expect(await namesOf(client as AnyClient)).toEqual(SEARCH);
  expect(await load(client as AnyClient)).toMatchObject({ listed: true });
  while (heard.toolChanges === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(await namesOf(client as AnyClient)).toEqual([...SEARCH, 'send_bill', 'show_bill']);
  await subscription.close();
});

test('An anonymous caller on 2026-07-28 gets the names, and calls a tool by its own', async () => {
  await serve({ knowsCallers: false });
  const { client } = await connectV2({ transport: 'http', url: served.url, era: 'modern' });
  open.push(client);
  const { listed, tools } = await load(client as AnyClient);
  expect(listed).toBe(false);
  expect(tools.map(({ name }) => name)).toEqual(['send_bill', 'show_bill']);
  expect(textOf(await client.callTool({ name: 'show_bill', arguments: {} }))).toBe('done: show_bill');
  const called = await client.callTool({ name: 'call_tool', arguments: { name: 'send_bill' } });
  expect(textOf(called)).toBe('done: send_bill');
});
