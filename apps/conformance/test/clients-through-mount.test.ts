import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { join } from 'node:path';
import { silentLogger } from '@toolwright/core/ports';
import { temporaryFolder } from '../../../.ci/test/support/temporary-folder.js';
import { whereInstalled } from '../../../.ci/test/support/installed.js';
import { count, size } from '../../../.ci/test/support/proof.js';
import { startEverything, stdioGateway, upstreams } from './support/everything.js';
import {
  knowsNoStructure,
  outsideClients,
  type OutsideClient,
  type Place,
} from './support/outside-clients.js';

const installed = whereInstalled(join(__dirname, '../../proof/node_modules/mcp-remote'), 'The client');

const SAMPLE = 4;
const names = Object.keys(outsideClients).slice(0, size > 1 ? undefined : SAMPLE);

installed.describe.each(upstreams.slice(0, size > 1 ? undefined : 1))(
  `The server "everything", mounted over %s, for programs of other people${installed.note}`,
  (form) => {
    let place: Place;
    const open: { close(): unknown }[] = [];
    beforeAll(async () => {
      const folder = temporaryFolder();
      const upstream = await startEverything(form, folder);
      const gateway: McpServer = await createMcpServer({
        name: 'gateway',
        version: '1.0.0',
        services: [],
        rateLimit: false,
        audit: false,
        logger: silentLogger,
      });
      open.push(upstream, gateway);
      await mountServer(gateway, 'everything', { ...upstream.options, required: true });
      const served = await serveHttp(gateway, { port: 0, signals: false });
      open.push(served);
      place = { url: served.url, script: stdioGateway(upstream.options), folder };
    });
    afterAll(async () => {
      for (const each of open.reverse()) await each.close();
    });

    let client: OutsideClient;
    afterEach(() => client.close());

    test.each(names)('%s lists, calls and reads', async (name) => {
      client = await outsideClients[name]!(place);
      const { tools } = await client.listTools();
      const { resources } = await client.listResources();
      const { prompts } = await client.listPrompts();
      expect([tools.length > 5, resources.length > 0, prompts.length > 0]).toEqual([true, true, true]);

      const call = (tool: string, args: Record<string, unknown>) =>
        client.callTool({ name: tool, arguments: args });
      expect(await call('echo', { message: 'hello' })).toMatchObject({ content: [{ text: 'Echo: hello' }] });
      expect(await call('get-structured-content', { location: 'Chicago' })).toMatchObject({
        ...(knowsNoStructure(name)
          ? { content: [{ text: expect.stringContaining('"temperature":') as string }] }
          : { structuredContent: { temperature: expect.any(Number) as number } }),
      });
      expect(await call('get-tiny-image', {})).toMatchObject({
        content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) as object[],
      });
      const { uri } = resources[0]!;
      expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri }] });
      expect(await client.getPrompt({ name: prompts[0]!.name })).toMatchObject({ messages: [{}] });
      count('clients of other people', 1);
    });
  },
);
