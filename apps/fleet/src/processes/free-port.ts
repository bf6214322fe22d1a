import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections, so that none takes one before, or between, its owner's starts. */
const [LOWEST, HIGHEST] = [10_000, 30_000];

/** Ports that were given to servers which may not listen yet. */
const given = new Set<number>();

/**
 * A port of 127.0.0.1 on which nobody listens, for what must know its address before it starts. A process is given each
 * port once: the twelve of a cluster are asked for before its first server listens.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST);
  if (given.has(port) || !(await isFree(port))) return freePort();
  given.add(port);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}
