import { connect } from '@toolwright/client';
import { MaxOutput, type ToolAnnotations } from '@toolwright/core';
import { mountServer } from '@toolwright/mount';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { createGateway, serveUpstream } from './support/tools.js';

const open = closedAfterEach();

const rows = Array.from({ length: 300 }, (_, id) => `row ${id}`);

/** A server behind that has much to say, mounted with a limit and links. */
async function mounted(annotations: ToolAnnotations, makesTasks: boolean) {
  let runs = 0;
  const upstream = await createGateway({ name: 'upstream' });
  upstream.tools.add({
    name: 'list',
    description: 'Lists rows.',
    annotations,
    inputSchema: { type: 'object', properties: { of: { type: 'string' } }, additionalProperties: false },
    handler: () => (runs++, rows),
  });
  if (makesTasks)
    upstream.tools.add({ name: 'later', description: 'Later.', task: 'optional', handler: () => 1 });
  const { url, served } = await serveUpstream(upstream);
  const server = await createGateway();
  open.push({ close: () => served.close() }, server);
  await mountServer(server, 'up', {
    url,
    policies: { '*': [MaxOutput.entry({ bytes: 1_000, link: true })] },
  });
  const client = await connect(server);
  open.push(client);
  return { client, runs: () => runs };
}

test.each<[string, ToolAnnotations, boolean, number]>([
  ['a mounted tool that only reads', { readOnlyHint: true }, false, 2],
  ['any other mounted tool', {}, false, 1],
  ['a mounted tool of a server that makes tasks', { readOnlyHint: true }, true, 1],
])('the rest of what %s returns is behind its link', async (_what, annotations, makesTasks, times) => {
  const { client, runs } = await mounted(annotations, makesTasks);
  const [listed] = await client.tools();
  expect(Object.keys(listed!.inputSchema.properties ?? {})).toEqual(['of']);
  const { content } = await client.call('list', { of: 'x' });
  const [shown, note, link] = content as unknown as { text: string; uri: string }[];
  expect(note!.text).toMatch(
    /left out at the end\. The link after this note leads to all that was left out\.\]$/,
  );
  const { contents } = await client.read(link!.uri);
  expect([...(JSON.parse(shown!.text) as string[]), ...(JSON.parse(contents[0]!.text!) as string[])]).toEqual(
    rows,
  );
  expect(runs()).toBe(times);
});

test('a mounted tool has no argument that its server does not know, so a made-up cursor is refused', async () => {
  const { client } = await mounted({ readOnlyHint: true }, false);
  const result = await client.call('list', { of: 'x', cursor: 'AAAA' });
  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('cursor') as string }],
  });
});
