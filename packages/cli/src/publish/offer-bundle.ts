import { relative, sep } from 'node:path';
import { formatChange } from '../changes/format-change.js';
import { jsonText } from '../changes/json-text.js';
import { offerChanges } from '../changes/offer-changes.js';
import { CommandError, exitCodes } from '../command-error.js';
import type { Terminal } from '../terminal/terminal.js';
import type { PackedBundle } from './make-bundle.js';

export interface BundleChoice {
  project: string;
  dryRun: true | undefined;
  yes: true | undefined;
}

/** Shows the manifest of a bundle and the change of server.json, asks, and puts both in their place. */
export async function offerBundle(
  { manifest, bytes, path, serverJson, keep }: PackedBundle,
  { project, dryRun, yes }: BundleChoice,
  terminal: Terminal,
): Promise<number> {
  const name = relative(terminal.cwd, path).split(sep).join('/');
  terminal.out(`${name}, ${(bytes / 1e6).toFixed(1)} MB, with this manifest.json:\n${jsonText(manifest)}`);
  const isChanged = serverJson.before !== serverJson.after;
  if (dryRun) {
    if (isChanged) terminal.out(formatChange(serverJson, terminal).join('\n'));
    return exitCodes.ok;
  }
  if (isChanged) {
    const code = await offerChanges(
      { changes: [serverJson], notes: [], project, yes: yes ?? false },
      terminal,
    );
    if (code !== exitCodes.ok) return code;
  } else if (!(await isAgreed(name, yes, terminal))) {
    terminal.err('Nothing was written.');
    return exitCodes.failed;
  }
  keep();
  terminal.err(`${name} was written.`);
  return exitCodes.ok;
}

async function isAgreed(name: string, yes: true | undefined, terminal: Terminal): Promise<boolean> {
  if (yes) return true;
  if (!terminal.ask)
    throw new CommandError(
      'Nothing was written, because the command cannot ask without a terminal. Pass --yes.',
    );
  return /^y(es)?$/i.test((await terminal.ask(`Write ${name}? [y/N] `)).trim());
}
