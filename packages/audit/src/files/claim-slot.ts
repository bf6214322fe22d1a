import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isRunning } from '@toolwright/json';
import type { LogPaths, WriterPaths } from './log-paths.js';

/** A writer slot that this process, and no other, may write. */
export interface ClaimedSlot {
  paths: WriterPaths;
  release(): Promise<void>;
}

interface LockContent extends ProcessIdentity {
  token: string;
}

/**
 * Takes the first slot that is free, or whose owner has certainly ended. No process waits or is refused: a
 * second process gets a second chain in its own file. See docs/adr/0101-audit-writer-slots.md.
 */
export async function claimSlot(log: LogPaths): Promise<ClaimedSlot> {
  const content: LockContent = { ...identityOf(process.pid), token: randomUUID() };
  for (let slot = 0; ; slot += 1) {
    const paths = log.writer(slot);
    if ((await createLock(paths.lock, content)) || (await takeOver(paths.lock, content))) {
      return { paths, release: () => rm(paths.lock, { force: true }) };
    }
  }
}

/** The name and the content appear in one step, so no other process can read a half-written lock. */
async function createLock(lock: string, content: LockContent): Promise<boolean> {
  const draft = await writeDraft(lock, content);
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function takeOver(lock: string, content: LockContent): Promise<boolean> {
  const stale = await readLock(lock);
  if (!stale || !isDead(stale)) return false;
  // If several processes find the same dead owner, one may continue, because this file's name contains the
  // owner's token.
  const permit = `${lock}.${stale.token}`;
  try {
    await writeFile(permit, '', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    // Another process may have taken over between our two steps.
    if ((await readLock(lock))?.token !== stale.token) return false;
    await rename(await writeDraft(lock, content), lock);
    return true;
  } finally {
    await rm(permit, { force: true });
  }
}

async function writeDraft(lock: string, content: LockContent): Promise<string> {
  const draft = `${lock}.draft-${content.token}`;
  await writeFile(draft, JSON.stringify(content));
  return draft;
}

async function readLock(lock: string): Promise<LockContent | undefined> {
  try {
    return JSON.parse(await readFile(lock, 'utf8')) as LockContent;
  } catch {
    // The lock was released meanwhile, or we cannot read it. In both cases we must not take it.
    return undefined;
  }
}

/** Identifies a process, even after the system has given its id to another process. */
interface ProcessIdentity {
  pid: number;
  /** Host, boot and pid namespace. A pid only has a meaning within one of them. */
  machine: string;
  /** When the process started, if the system says so (Linux); otherwise empty. */
  start: string;
}

function identityOf(pid: number): ProcessIdentity {
  const boot = readOr('/proc/sys/kernel/random/boot_id', () => 'unknown');
  return { pid, machine: `${hostname()}/${boot}/${pidNamespace()}`, start: startOf(pid) };
}

/**
 * True only if the process has certainly ended. A process on another machine counts as alive, because this
 * one cannot know.
 */
function isDead({ pid, machine, start }: ProcessIdentity): boolean {
  if (machine !== identityOf(process.pid).machine) return false;
  // Of a process of another user, the system may not say when it started.
  return !isRunning(pid) || !['', start].includes(startOf(pid));
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
