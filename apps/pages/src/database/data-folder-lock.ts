import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnavailableError } from './database.js';

/**
 * Keeps a second process from opening the same embedded database, which has no lock of its own and would be
 * destroyed. The file names its process; one left behind by a killed process is taken over.
 */
export class DataFolderLock {
  private constructor(private readonly file: string) {}

  /** @throws {DatabaseUnavailableError} a living process holds the folder, or it cannot be written */
  static acquire(folder: string): DataFolderLock {
    const file = join(folder, 'lock');
    const own = `${process.pid} ${startOf(process.pid)}`;
    if (!create(file, own)) {
      const holder = readFileSync(file, 'utf8');
      if (isAlive(holder, own)) {
        throw new DatabaseUnavailableError(
          `The data folder ${folder} is in use by process ${Number.parseInt(holder, 10)}. ` +
            'Stop that process, or set PAGES_DATA to another folder.',
        );
      }
      rmSync(file, { force: true });
      if (!create(file, own)) return DataFolderLock.acquire(folder);
    }
    return new DataFolderLock(file);
  }

  release(): void {
    rmSync(this.file, { force: true });
  }
}

/** False when the file exists already. */
function create(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new DatabaseUnavailableError(`The data folder cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Process numbers are used again, in containers from 1 at each start: the start time tells two holders apart. */
function isAlive(holder: string, own: string): boolean {
  const pid = Number.parseInt(holder, 10);
  if (!Number.isInteger(pid) || pid < 1) return false;
  if (pid === process.pid) return holder === own;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return holder === `${pid} ${startOf(pid)}`;
}

/** The process's start time in clock ticks where the system tells it (Linux), else the same for every process. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold spaces; start time is field 22.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
  } catch {
    return '-';
  }
}
