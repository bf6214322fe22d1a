import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeInProject, replaceFile, writeAtomically } from '../../changes/write-atomically.js';

/** What makes the address of a console the same in each run. */
export interface KeptAddress {
  readonly port: number;
  readonly token: string;
}

/** In the folder of the project. Whoever may write there can do everything that the app can do anyway. */
const FOLDER = '.toolwright';
const FILE = 'console.json';
const PRIVATE_FILE = 0o600;
const OTHERS = 0o077;
/** Shorter ones could be guessed. */
const SHORTEST_TOKEN = 32;

/** The address of earlier runs. `undefined`: there was no earlier run, or others may know the address. */
export function readAddress(directory: string): KeptAddress | undefined {
  let file: number | undefined;
  try {
    file = openSync(join(directory, FOLDER, FILE), constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const { mode, uid } = fstatSync(file);
    // Windows protects the folders of a user in another way, and knows no modes.
    const isOpen = process.getuid !== undefined && (uid !== process.getuid() || (mode & OTHERS) !== 0);
    const { port, token } = JSON.parse(readFileSync(file, 'utf8')) as KeptAddress;
    const isSound = Number.isInteger(port) && typeof token === 'string' && token.length >= SHORTEST_TOKEN;
    return isSound && !isOpen ? { port, token } : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
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
