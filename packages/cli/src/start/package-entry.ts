import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a package says of how it is started: of `"start": "node dist/main.js"` the file, else `main`. */
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
