// Takes the comments that name source maps out of packed archives:
//   node .ci/without-maps.mjs archive…
// Packages carry no maps, because they would double the size of an installation. A comment that names a file that is not
// there makes debuggers and bundlers warn.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const COMMENT = /\n?\/\/# sourceMappingURL=\S+\s*$/;

/** Rewrites an archive that npm or pnpm has packed. */
function stripMaps(archive) {
  const folder = mkdtempSync(join(tmpdir(), 'without-maps-'));
  try {
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.[cm]?[jt]s$/.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      const text = readFileSync(file, 'utf8');
      const stripped = text.replace(COMMENT, '\n');
      if (stripped !== text) writeFileSync(file, stripped);
    }
    execFileSync('tar', ['-czf', archive, '-C', folder, 'package']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const archive of process.argv.slice(2)) stripMaps(resolve(archive));
