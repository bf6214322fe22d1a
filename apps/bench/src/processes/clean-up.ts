import { rmSync } from 'node:fs';
import { runFolder } from '../folders.js';

/** Removes what the run has written for itself, also when it is interrupted; contestants end with their channel. */
export function cleanUpAtExit(): void {
  process.once('exit', () => rmSync(runFolder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}
