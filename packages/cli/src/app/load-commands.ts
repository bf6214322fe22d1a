import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * What a package exports for commands. The app's own package comes first. A package that is installed beside this command
 * is for folders without an app.
 *
 * @returns `undefined` when it is not installed
 */
export function loadCommands(name: string, directory: string): Record<string, unknown> | undefined {
  for (const from of [join(directory, 'package.json'), __filename]) {
    const resolve = createRequire(from);
    let path: string;
    try {
      path = resolve.resolve(`${name}/commands`);
    } catch {
      continue;
    }
    return resolve(path) as Record<string, unknown>;
  }
  return undefined;
}
