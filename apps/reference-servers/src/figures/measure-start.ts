import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programOf, type Kind, type Side } from './programs.js';

const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'stopwatch', version: '1.0.0' },
  },
};

/** Milliseconds from starting the process to the answer that lists its tools. */
export async function measureStart(kind: Kind, side: Side): Promise<number> {
  const begin = performance.now();
  const server = spawn(process.execPath, [programOf(kind, side), tmpdir()], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, MEMORY_FILE_PATH: join(tmpdir(), 'no-such-memory.jsonl') },
  });
  const send = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, ...initialize });
  for await (const line of createInterface(server.stdout)) {
    const { id } = JSON.parse(line) as { id?: number };
    if (id === 2) break;
    if (id !== 1) continue;
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/list' });
  }
  const end = performance.now();
  server.kill('SIGKILL');
  return end - begin;
}
