import type { OnBroken } from '../read/read-since.js';
import { EXIT_OK, EXIT_PROBLEMS, type CommandConsole } from './audit-command.js';
import { printable } from './record-table.js';

/** If the whole log was changed, only this many warnings are printed. */
const MOST_TOLD = 10;

/** Warns on the error stream that the output comes from a broken chain, and sets the exit code. */
export function warnOfBreaks(console: CommandConsole): { onBroken: OnBroken; exitCode(): number } {
  let breaks = 0;
  return {
    onBroken(message) {
      breaks += 1;
      if (breaks <= MOST_TOLD) console.err(`The log is broken: ${printable(message)}\n`);
      if (breaks === 1) console.err('Do not rely on what is printed. See `toolwright audit verify`.\n');
    },
    exitCode: () => (breaks > 0 ? EXIT_PROBLEMS : EXIT_OK),
  };
}
