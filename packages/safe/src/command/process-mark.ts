import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

/**
 * Contains the runs that a process belongs to, the outermost first. A program that itself runs commands
 * belongs to one run, and its commands to two.
 */
const VARIABLE = 'TOOLWRIGHT_RUN';

/**
 * How often the list of processes is searched. If something starts processes faster than they are killed, the
 * search ends here.
 */
const MOST_ROUNDS = 200;

/**
 * An environment variable marks a program and all processes that it starts. Unlike the process group, the
 * variable stays with a descendant that starts its own session and whose parents have ended.
 */
export class ProcessMark {
  private readonly id: string = randomUUID();
  /** The variables to add to the environment of the program. */
  readonly environment: Readonly<Record<string, string>> = {
    [VARIABLE]: [process.env[VARIABLE], this.id].filter(Boolean).join(' '),
  };

  /**
   * Kills all processes with the mark, until none is left. Only Linux shows the environment of a process; on
   * other systems this does nothing.
   */
  async killAll(): Promise<void> {
    if (process.platform !== 'linux') return;
    // A process that forks and ends while the list is read may appear in no entry, so one empty list proves
    // nothing.
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

  /**
   * A process of another user, or one that has just ended, cannot be read. We could not kill either of them.
   */
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
    // The process has just ended by itself.
  }
}
