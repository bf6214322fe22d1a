import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections, so that none takes it while the app starts again. */
const [LOWEST, HIGHEST] = [10_000, 30_000];

/** A port of 127.0.0.1 on which nobody listens, for an app that gets its port before it starts. */
export async function freePort(): Promise<string> {
  const port = randomInt(LOWEST, HIGHEST);
  return (await isFree(port)) ? String(port) : freePort();
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
