import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

/** An app in another runtime. */
export interface Started {
  url: string;
  stop(): Promise<void>;
}

const app = join(__dirname, '../..');

/** Starts a program of the app, and waits for its address. */
export function start(
  command: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  { cwd = app, ready = /listening on (http:\S+)/i }: { cwd?: string; ready?: RegExp } = {},
): Promise<Started> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new Promise((resolve, reject) => {
    let heard = '';
    const hear = (chunk: Buffer) => {
      heard += chunk.toString();
      const found = ready.exec(heard);
      if (found) resolve({ url: found[1] ?? '', stop: () => stop(child) });
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${heard}`)));
  });
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
