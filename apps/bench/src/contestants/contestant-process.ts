import type { Settings } from './settings.js';

/** What a contestant's process tells the harness: that it is ready, or what it has used so far. */
export type Report =
  | { kind: 'ready'; port: number }
  /** CPU time since the start in microseconds, memory after a collection in bytes. */
  | { kind: 'usage'; cpu: number; heap: number; rss: number };

/**
 * Runs a contestant in this process. `start` resolves with the port it listens on, or 0 over stdio. Any message from
 * the harness asks for the usage.
 */
export async function runContestant(start: (settings: Settings) => Promise<number>): Promise<void> {
  const settings = JSON.parse(process.argv[2] ?? '{}') as Settings;
  process.on('message', () => report(usage()));
  process.on('disconnect', () => process.exit());
  report({ kind: 'ready', port: await start(settings) });
}

function report(message: Report) {
  process.send?.(message);
}

function usage(): Report {
  const { user, system } = process.cpuUsage();
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { kind: 'usage', cpu: user + system, heap: heapUsed + external, rss };
}
