import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AllowedCommand } from '@toolwright/safe';

/**
 * What may be run. Each of these only reads, has no option that starts another program, and is given by its full path.
 * `date` is not here: `date 01010000` sets the clock.
 */
export const commands = {
  ls: { file: program('ls'), options: ['-1', '-l', '-h', '-R'] },
  uname: { file: program('uname'), options: ['-s', '-r', '-m'] },
  wc: { file: program('wc'), options: ['-l', '-w', '-c'] },
} satisfies Record<string, AllowedCommand>;

/** Those whose other arguments are files. */
export const takingFiles: ReadonlySet<string> = new Set(['ls', 'wc']);

/** The names in the list are the choice that the schema offers. */
export type CommandName = keyof typeof commands;

/** Where systems keep their own programs. PATH is not asked: it may name a folder that others write in. */
function program(name: string): string {
  const places = ['/usr/bin', '/bin'].map((folder) => join(folder, name));
  return places.find((place) => existsSync(place)) ?? places[0]!;
}
