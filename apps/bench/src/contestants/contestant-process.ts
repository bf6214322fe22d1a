import { readFileSync } from 'node:fs';
import type { Drive, Driven } from './drive.js';
import type { Settings } from './settings.js';

/** What a contestant's process tells the harness: that it is ready, or what it has used so far. */
export type Report =
  | { kind: 'ready'; port: number }
  /** CPU time since the start, in microseconds. */
  | { kind: 'cpu'; cpu: number }
  /** Memory after a collection, in bytes; `own` is what was resident before it, without the pages of files. */
  | { kind: 'memory'; heap: number; rss: number; own: number | undefined }
  | ({ kind: 'driven' } & Driven);

/** What the harness asks for. */
export type Asked = 'cpu' | 'memory' | Drive;

/**
 * Runs a contestant in this process. `start` resolves with the port it listens on, or 0 over stdio. The harness
 * asks for `cpu` or `memory`; only the latter collects garbage, since a server that is collected between two loads has to
 * make its young generation grow again in each.
 */
export async function runContestant(
  start: (settings: Settings) => Promise<number>,
  drive?: (job: Drive) => Promise<Driven>,
): Promise<void> {
  const settings = JSON.parse(process.argv[2] ?? '{}') as Settings;
  process.on('message', (asked: Asked) => {
    if (asked === 'cpu') report(cpuTime());
    else if (asked === 'memory') report(memory());
    else void drive?.(asked).then((driven) => report({ kind: 'driven', ...driven }));
  });
  process.on('disconnect', () => process.exit());
  report({ kind: 'ready', port: await start(settings) });
}

function report(message: Report) {
  process.send?.(message);
}

function cpuTime(): Report {
  const { user, system } = process.cpuUsage();
  return { kind: 'cpu', cpu: user + system };
}

function memory(): Report {
  const own = ownMemory();
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { kind: 'memory', heap: heapUsed + external, rss, own };
}

/** Resident memory without the pages of files, such as the program of Node.js, which the system may drop (Linux). */
function ownMemory(): number | undefined {
  try {
    const [, kilobytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024;
  } catch {
    return undefined;
  }
}
