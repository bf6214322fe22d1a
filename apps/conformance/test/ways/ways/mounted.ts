import { createMcpServer, type McpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { silentLogger } from '@toolwright/core/ports';
import { eras } from '../wire.js';
import { callBy, ofTools } from './by-name.js';
import { called } from './search.js';
import { NAME, reached } from '../marks.js';
import type { Fact } from '../table.js';
import type { Way, World } from '../world.js';

const facts = ofTools.filter((fact) => fact !== 'context');

/** Serves the tool from another server, and mounts that one. Our guards are those of the mount. */
async function mount(world: World): Promise<void> {
  const { policies, ...tool } = world.definition();
  const upstream: McpServer = await createMcpServer({
    name: 'upstream',
    version: '1',
    services: [],
    logger: silentLogger,
    audit: false,
    rateLimit: false,
    concurrency: false,
  });
  upstream.tools.add(tool);
  const { url, close } = await serveHttp(upstream, { port: 0, signals: false });
  world.onClose(close);
  const { server } = world;
  const mounted = await mountServer(server, 'behind', {
    url,
    policies: { '*': { ...(policies && { policies }) } },
  });
  if (mounted.status().state !== 'up') throw new Error(`The mount is ${mounted.status().state}.`);
}

/** A tool of another server behind ours. */
export const byMounts: readonly Way[] = [
  {
    name: 'a mounted tool',
    does: 'call',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    place: mount,
    has: new Set<Fact>(facts),
    reach: callBy(NAME),
  },
  {
    name: 'a mounted tool by call_tool',
    does: 'call',
    kind: 'tool',
    eras,
    methods: ['tools/call'],
    has: new Set<Fact>(facts),
    place: mount,
    options: { toolSearch: true },
    reach: async (world, who) => reached(await world.ask(who, 'tools/call', called(NAME, world.args))),
  },
];
