import { createMcpServer } from '@toolwright/core';
import { serveHttp } from '@toolwright/http';
import { mountServer } from '@toolwright/mount';
import { join } from 'node:path';
import { SERVER_INFO } from '../contestants/work.js';

/** What a gateway of this comparison is told. */
export interface GatewaySettings {
  /** The port of the server behind. */
  upstream: number;
  /** Where its audit log is written. */
  folder: string;
}

/** Serves a mount with the audit log on, until its standard input ends. The first line that it prints is its port. */
async function main(): Promise<void> {
  const { upstream, folder } = JSON.parse(process.argv[2]!) as GatewaySettings;
  const server = await createMcpServer({
    ...SERVER_INFO,
    services: [],
    audit: { file: join(folder, `gateway-${process.pid}.jsonl`) },
    rateLimit: { points: 1e9, per: '1m' },
  });
  await mountServer(server, 'up', {
    url: `http://127.0.0.1:${upstream}/mcp`,
    policies: { '*': { annotations: { readOnlyHint: true } } },
  });
  const { url, close } = await serveHttp(server, { port: 0, signals: false });
  console.log(new URL(url).port);
  process.stdin.once('end', () => void close().then(() => process.exit(0))).resume();
}

void main();
