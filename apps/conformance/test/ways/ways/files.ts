import type { Principal } from '@toolwright/core';
import { serveTransfers } from '@toolwright/http/transfers';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '../wire.js';
import { MARK, NAME } from '../marks.js';
import type { Fact } from '../table.js';
import type { Way, World } from '../world.js';

/** Sends files by links that the tool makes. The caller of a link is known by a header. */
async function place(world: World): Promise<void> {
  const http = createServer((req, res) => transfers.handler(req, res)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const transfers = await serveTransfers(world.server, {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/files`,
    authenticate: ({ headers }) => ({ principal: JSON.parse(String(headers['x-caller'])) as Principal }),
    send: async (about, caller) => ({
      body: String(await world.run({ about, caller }, undefined as never)),
      name: 'a.txt',
      type: 'text/plain',
    }),
  });
  world.onClose(() => {
    http.closeAllConnections();
    http.close();
  });
  world.server.tools.add({
    ...world.definition(),
    handler: (_args, { transfers: links }) => links!.download({ of: 'a' }).uri,
  });
}

/** A file that is too large for a message. */
export const byFiles: readonly Way[] = [
  {
    name: 'a transfer link',
    does: 'file',
    kind: 'tool',
    eras: ['2026-07-28'],
    methods: [],
    place,
    has: new Set<Fact>(['caller', 'handles']),
    async begin(world, who) {
      const { result } = await world.ask(who, 'tools/call', { name: NAME, arguments: world.args });
      return (result as Json | undefined)?.['content']?.[0]?.text as string;
    },
    async reach(world, who, uri) {
      const caller = JSON.stringify(world.principals[who]);
      const response = await fetch(String(uri), { headers: { 'x-caller': caller } });
      const text = await response.text();
      return { isReached: response.ok && text.includes(MARK), text };
    },
  },
];
