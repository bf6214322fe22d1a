import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Which processor the servers run on; undefined where processes cannot be pinned (no taskset, or a single core). */
export interface Cores {
  server: number | undefined;
}

/**
 * Gives this process, which makes the load, a core of its own, and names another one for the servers. Without it the
 * scheduler moves both about, and a run measures that too.
 */
export function splitCores(): Cores {
  const unpinned = { server: undefined };
  if (availableParallelism() < 2) return unpinned;
  try {
    const [first, last] = edges(execFileSync('taskset', ['-cp', String(process.pid)], { encoding: 'utf8' }));
    if (first === last) return unpinned;
    execFileSync('taskset', ['-acp', String(last), String(process.pid)], { stdio: 'ignore' });
    return { server: first };
  } catch {
    return unpinned;
  }
}

/** First and last of a list such as `pid 1's current affinity list: 0-2,5`. */
function edges(affinity: string): [number, number] {
  const cores = affinity.slice(affinity.lastIndexOf(':') + 1).match(/\d+/g)!;
  return [Number(cores[0]), Number(cores.at(-1))];
}

/** The command that runs a program on a core. */
export function pinned(core: number | undefined, command: string[]): string[] {
  return core === undefined ? command : ['taskset', '-c', String(core), ...command];
}
