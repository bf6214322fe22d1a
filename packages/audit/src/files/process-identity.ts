import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names a process in a way that outlives its id being given to another. */
export interface ProcessIdentity {
  pid: number;
  /** Host, boot and pid namespace: only within one of them does a pid mean anything. */
  machine: string;
  /** When the process started, where the system tells (Linux); else empty. */
  start: string;
}

export function identityOf(pid: number): ProcessIdentity {
  const boot = readOr('/proc/sys/kernel/random/boot_id', () => 'unknown');
  return { pid, machine: `${hostname()}/${boot}/${pidNamespace()}`, start: startOf(pid) };
}

/** True only if the process provably is no more. A process elsewhere counts as alive: nobody can tell from here. */
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
  // Field 22 of stat; the second, the command's name, may hold spaces and parentheses.
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
