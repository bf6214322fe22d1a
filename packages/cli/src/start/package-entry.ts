import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The file that starts a package: the file in a script such as `"start": "node dist/main.js"`, otherwise
 * `main`.
 */
export function packageEntry(directory: string): string | undefined {
  try {
    const { scripts, main } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
      scripts?: { start?: string };
      main?: string;
    };
    return /^node\s+(?:--\S+\s+)*(\S+\.[cm]?js)\b/.exec(scripts?.start ?? '')?.[1] ?? main;
  } catch {
    return undefined;
  }
}
