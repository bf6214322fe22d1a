import type { AllowedCommand } from '@toolwright/safe';

interface Command extends AllowedCommand {
  takesFiles: boolean;
}

/**
 * What may be run. Each of these only reads, has no option that starts another program, and is given by its full path.
 * `date` is not here: `date 01010000` sets the clock.
 */
export const commands = {
  ls: { file: '/bin/ls', options: ['-1', '-l', '-h', '-R'], takesFiles: true },
  uname: { file: '/usr/bin/uname', options: ['-s', '-r', '-m'], takesFiles: false },
  wc: { file: '/usr/bin/wc', options: ['-l', '-w', '-c'], takesFiles: true },
} satisfies Record<string, Command>;

/** The names in the list are the choice that the schema offers. */
export type CommandName = keyof typeof commands;
