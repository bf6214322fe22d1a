import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Identifies a process, even after the system has given its id to another process. */
export interface ProcessIdentity {
  pid: number;
  /** Host, boot and pid namespace. A pid only has a meaning within one of them. */
  machine: string;
  /** When the process started, if the system says so (Linux); otherwise empty. */
  start: string;
}

export function identityOf(pid: number): ProcessIdentity {
  const boot = readOr('/proc/sys/kernel/random/boot_id', () => 'unknown');
  return { pid, machine: `${hostname()}/${boot}/${pidNamespace()}`, start: startOf(pid) };
}

/**
 * True only if the process has certainly ended. A process on another machine counts as alive, because this
 * one cannot know.
 */
export function isDead(identity: ProcessIdentity): boolean {
  if (identity.machine !== identityOf(process.pid).machine) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  return startOf(identity.pid) !== identity.start;
}

function startOf(pid: number): string {
  // Field 22 of stat. The second field, the name of the command, may contain spaces and parentheses.
  const stat = readOr(`/proc/${pid}/stat`, () => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function readOr(path: string, fallback: () => string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return fallback();
  }
}
