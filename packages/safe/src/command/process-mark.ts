import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/** Names the runs that a process belongs to, the outermost first: a program that runs commands is within two of them. */
const VARIABLE = 'TOOLWRIGHT_RUN';

/** Rounds of looking for what is left; something that starts faster than it is killed is given up on. */
const MOST_ROUNDS = 200;

/**
 * What a program and all that it starts have in common: a variable of their environment. Unlike the process group, it
 * stays with a descendant that begins a session of its own, and whose parents have ended.
 */
export class ProcessMark {
  private readonly id: string = randomUUID();
  /** To be added to the environment of the program. */
  readonly environment: Readonly<Record<string, string>> = {
    [VARIABLE]: [process.env[VARIABLE], this.id].filter(Boolean).join(' '),
  };

  /**
   * Kills whatever carries the mark, until nothing does. Only Linux tells the environment of a process; elsewhere this
   * does nothing.
   */
  async killAll(): Promise<void> {
    if (process.platform !== 'linux') return;
    // A process that forks and ends while the list is read is in none of its entries: one empty list proves nothing.
    let emptyLists = 0;
    for (let round = 0; emptyLists < 2 && round < MOST_ROUNDS; round++) {
      const pids = await this.marked();
      for (const pid of pids) kill(pid);
      emptyLists = pids.length === 0 ? emptyLists + 1 : 0;
    }
  }

  private async marked(): Promise<number[]> {
    const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const checked = names.map(async (name) => ((await this.isMarked(name)) ? [Number(name)] : []));
    return (await Promise.all(checked)).flat();
  }

  /** A process of another user, and one that has just ended, cannot be read: neither is ours to kill. */
  private async isMarked(pid: string): Promise<boolean> {
    try {
      return (await readFile(`/proc/${pid}/environ`, 'latin1')).includes(this.id);
    } catch {
      return false;
    }
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
