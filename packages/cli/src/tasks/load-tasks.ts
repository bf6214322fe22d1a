import { createRequire } from 'node:module';
import { join } from 'node:path';
import { CommandError } from '../command-error.js';

/** One of the commands that `@toolwright/tasks` brings. These are the parts that are used here. */
export interface TaskCommand {
  readonly name: string;
  readonly description: string;
  readonly takesId: boolean;
  readonly options: readonly { readonly flag: string; readonly description: string }[];
  run(
    id: string,
    values: Readonly<Record<string, string | boolean | undefined>>,
    console: { out(text: string): void; err(text: string): void },
  ): Promise<number>;
}

/**
 * The commands of the app's own `@toolwright/tasks`: it fits the tables that the app has made.
 *
 * @throws {CommandError} when it is not installed
 */
export function loadTaskCommands(directory: string): readonly TaskCommand[] {
  const resolve = createRequire(join(directory, 'package.json'));
  let path: string;
  try {
    path = resolve.resolve('@toolwright/tasks');
  } catch {
    throw new CommandError(
      'This folder has no @toolwright/tasks. Run the command in the folder of the app, or install it: npm install @toolwright/tasks',
    );
  }
  return (resolve(path) as { taskCommands: readonly TaskCommand[] }).taskCommands;
}
