import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { silentLogger } from '@toolwright/core/ports';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
// Their tests run here once more: ours is behind a mount, and the official one is not.
import './same-filesystem.test.js';
import './same-memory.test.js';
import './same-tools.test.js';
import { way } from './support/reference-server.js';

const open = closedAfterEach();

/** A mount before our server; the official one, with which it is compared, is reached as ever. */
const direct = way.open.bind(way);
way.open = async (side, program) => {
  if (side === 'theirs') return direct(side, program);
  const { command, args = [], env = {} } = program;
  const gateway = await createMcpServer({
    name: 'gateway',
    version: '1.0.0',
    services: [],
    rateLimit: false,
    audit: false,
    logger: silentLogger,
  });
  await mountServer(gateway, 'ours', { command, args, env, required: true });
  const served = await serveHttp(gateway, { port: 0, signals: false });
  open.push(gateway, served);
  return new StreamableHTTPClientTransport(new URL(served.url)) as never;
};
