// The commands that this package adds to `toolwright`. The command line finds them in the app that has the package.
import { recordCommand } from './command/record-command.js';
import { replayCommand } from './command/replay-command.js';

/** The commands of this package. */
export const commands = [recordCommand, replayCommand] as const;

export type { RecordConsole } from './command/record-command.js';
export type { ReplayConsole, ReplayedServer } from './command/replay-command.js';
