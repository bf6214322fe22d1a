import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, untilListening } from '../contestants/listen.js';

/** A Redis that keeps nothing on disk, beside the load and not on the core of the servers. */
export interface RedisServer {
  url: string;
  stop(): void;
}

/** @throws {Error} redis-server is not installed, or ends at once */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', args, { stdio: 'ignore' });
  const stop = () => void child.kill('SIGKILL');
  process.once('exit', stop);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`redis-server ended with code ${code}`);
  });
  await Promise.race([untilListening(port), ended]);
  ended.catch(() => process.removeListener('exit', stop));
  return { url: `redis://127.0.0.1:${port}`, stop };
}
