import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { hosts, type Host } from '@toolwright/http/hosts';
import { hostPath } from './host-file.js';
import type { Machine } from './machine.js';

/** The hosts whose files the command can change. */
export const editableHosts: readonly Host[] = hosts.filter(({ file, id }) => file && id !== 'goose');

/** Those of them that are on this machine: their file exists, or the folder of their own. */
export function findInstalledHosts(machine: Machine): Host[] {
  return editableHosts.filter(({ file }) => {
    const { path, base } = hostPath(file!, machine);
    const folder = dirname(path);
    return existsSync(path) || (folder !== base && existsSync(folder));
  });
}
