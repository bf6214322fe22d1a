import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Replaces the text of an existing file. A reader sees the old text or the new one, never a part of it. */
export function writeAtomically(path: string, text: string): void {
  // A link stays a link: its target is replaced.
  const target = realpathSync(path);
  const draft = `${target}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { mode: statSync(target).mode & 0o777, flag: 'wx' });
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
