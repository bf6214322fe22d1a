import type { McpClient } from '@toolwright/client';
import { connect } from '@toolwright/client';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../../.ci/test/support/closed-after-each.js';
import { type Script, scripted, ways } from '../support/scripted-upstream.js';
import { createGateway } from '../support/tools.js';

// Serialisers of Go, C#, Java and Rust write `null` for a member that nobody has set.

const open = closedAfterEach();

const nulls = '"_meta":null,"title":null,"icons":null,"annotations":null';
const script: Script = {
  initialize: `"error":null,"result":{"_meta":null,"instructions":null,"protocolVersion":"2025-11-25",
    "serverInfo":{"name":"nulls","version":"1","title":null,"websiteUrl":null,"icons":null},
    "capabilities":{"experimental":null,"extensions":null,"completions":null,"logging":null,"tasks":null,
      "tools":{"listChanged":null},"prompts":{"listChanged":null},"resources":{"subscribe":null,"listChanged":null}}}`.replaceAll(
    /\n\s*/g,
    '',
  ),
  'tools/list': `"error":null,"result":{"_meta":null,"nextCursor":null,"tools":[
    {"name":"plain","description":null,"inputSchema":null,"outputSchema":null,"execution":null,${nulls}},
    {"name":"filled","description":"Reads.","execution":{"taskSupport":null},"_meta":{"x/kept":null},
      "annotations":{"title":null,"readOnlyHint":null,"destructiveHint":false},"icons":[{"src":"https://a.example/i.png","mimeType":null,"sizes":null}],
      "inputSchema":{"$schema":null,"type":"object","required":null,"properties":{"a":{"type":"string","enum":null,"default":null}}}},
    {"name":"empty","description":"Has none.","inputSchema":{"type":"object","properties":null,"required":null}},
    {"name":"typed","description":"Reads.","inputSchema":{"type":"object"},"outputSchema":{"type":"object","required":null}}]}`.replaceAll(
    /\n\s*/g,
    '',
  ),
  'prompts/list': `"result":{"prompts":[{"name":"ask","description":null,${nulls},"arguments":[{"name":"a","title":null,"description":null,"required":null}]}]}`,
  'prompts/get': `"result":{"description":null,"_meta":null,"messages":[{"role":"user","content":{"type":"text","text":"Hello","annotations":null,"_meta":null}}]}`,
  'resources/list': `"result":{"resources":[{"uri":"notes://all","name":"notes","description":null,"mimeType":null,"size":null,${nulls}}]}`,
  'resources/templates/list': `"result":{"resourceTemplates":null}`,
  'resources/read': `"result":{"_meta":null,"contents":[{"uri":"notes://all","mimeType":null,"text":"all","blob":null,"_meta":null}]}`,
  'tools/call':
    `"error":null,"result":{"resultType":null,"isError":null,"_meta":null,"structuredContent":null,"task":null,"content":[
    {"type":"text","text":"done","annotations":{"audience":null,"priority":null},"_meta":null},
    {"type":"resource","resource":{"uri":"notes://all","text":"all","mimeType":null,"_meta":null},"annotations":null},
    {"type":"resource_link","uri":"notes://all","name":"all","size":null,"mimeType":null,"description":null}]}`.replaceAll(
      /\n\s*/g,
      '',
    ),
};

async function clientOf(way: (typeof ways)[number], more: Script = {}) {
  const upstream = await scripted({ ...script, ...more }, way);
  const gateway = await createGateway();
  open.push(upstream, gateway);
  const mount = await mountServer(gateway, 'nulls', upstream.options);
  const client: McpClient = await connect(gateway, {} as never);
  open.push(client);
  return { client, mount };
}

describe.each(ways)('a server behind that writes null over %s', (way) => {
  test('offers what it would offer without these members', async () => {
    const { client, mount } = await clientOf(way);
    expect(mount.status()).toMatchObject({ state: 'up', left: [], held: [], suspicious: [] });
    const { tools } = (await client.request('tools/list', {})) as { tools: Record<string, unknown>[] };
    expect(tools).toMatchObject([
      { name: 'plain', inputSchema: { type: 'object' } },
      {
        name: 'filled',
        annotations: { destructiveHint: false },
        inputSchema: { properties: { a: { type: 'string', default: null } } },
      },
      { name: 'empty', inputSchema: { type: 'object' } },
      { name: 'typed', outputSchema: { type: 'object' } },
    ]);
    expect(JSON.stringify(tools).replace('"default":null', '').replace('"x/kept":null', '')).not.toContain(
      'null',
    );
    expect(JSON.stringify(await client.request('prompts/list', {}))).not.toContain('null');
    expect(JSON.stringify(await client.request('resources/list', {}))).not.toContain('null');
  });

  test('answers as it would answer without them', async () => {
    const { client } = await clientOf(way);
    const result = await client.call('plain', {});
    expect(result.content).toEqual([
      expect.objectContaining({ type: 'text', text: 'done' }),
      { type: 'resource', resource: { uri: 'notes://all', text: 'all' } },
      { type: 'resource_link', uri: 'notes://all', name: 'all' },
    ]);
    const read = await client.request('resources/read', { uri: 'notes://all' });
    const prompt = await client.request('prompts/get', { name: 'ask', arguments: { a: 'b' } });
    for (const each of [result, read, prompt]) expect(JSON.stringify(each)).not.toContain('null');
    expect(read['contents']).toEqual([{ uri: 'notes://all', text: 'all' }]);
    // It promises an object, and gives none.
    expect(await client.call('typed', {})).toMatchObject({ isError: true });
  });

  test('has null as data where its schema says so', async () => {
    const { client } = await clientOf(way, {
      'tools/list': `"result":{"tools":[{"name":"find","description":"Finds.","inputSchema":{"type":"object"},
        "outputSchema":{"type":"object","properties":{"row":{"type":["object","null"]}},"required":["row"]}}]}`.replaceAll(
        /\n\s*/g,
        '',
      ),
      'tools/call': '"result":{"content":null,"structuredContent":{"row":null}}',
    });
    expect((await client.call('find', {})).structuredContent).toEqual({ row: null });
  });
});
