import { join } from 'node:path';
import { placeInProject, replaceFile, writeAtomically } from '../../changes/write-atomically.js';
import { PRIVATE_FILE, readPrivateFile } from '../../changes/private-file.js';

/** What makes the address of a console the same in each run. */
export interface KeptAddress {
  readonly port: number;
  readonly token: string;
}

/** In the folder of the project. Whoever may write there can do everything that the app can do anyway. */
const FOLDER = '.toolwright';
const FILE = 'console.json';
/** Shorter ones could be guessed. */
const SHORTEST_TOKEN = 32;

/** The address of earlier runs. `undefined`: there was no earlier run, or others may know the address. */
export function readAddress(directory: string): KeptAddress | undefined {
  try {
    const text = readPrivateFile(join(directory, FOLDER, FILE));
    if (text === undefined) return undefined;
    const { port, token } = JSON.parse(text) as KeptAddress;
    const isSound = Number.isInteger(port) && typeof token === 'string' && token.length >= SHORTEST_TOKEN;
    return isSound ? { port, token } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the address for the next run. A folder that cannot be written costs only that. */
export function keepAddress(directory: string, address: KeptAddress): void {
  const folder = join(directory, FOLDER);
  try {
    // Nobody commits it by mistake, also where the project ignores nothing.
    writeAtomically(join(folder, '.gitignore'), '*\n', directory);
    const path = placeInProject(join(folder, FILE), directory);
    replaceFile(path, `${JSON.stringify(address)}\n`, { mode: PRIVATE_FILE });
  } catch {
    // The next run has another address.
  }
}
