import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { appFolder } from '../folders.js';

/** A server of a comparison in its own process. */
export interface MeasuredServer {
  /** The first line that it has printed: it serves, and says where. */
  readonly ready: string;
  /** Ends its standard input, and waits until it has ended. */
  stop(): Promise<void>;
}

/** @param program the compiled file, relative to `dist` */
export async function startServer(
  program: string,
  settings: object,
  node = process.execPath,
): Promise<MeasuredServer> {
  const child = spawn(node, [join(appFolder, 'dist', program), JSON.stringify(settings)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [ready] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    ready,
    async stop() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
