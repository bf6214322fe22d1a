import { makeFolder } from '@toolwright/json';
import { dirname } from 'node:path';
import { formatChange } from '../changes/file-change.js';
import { replaceFile } from '../changes/write-atomically.js';
import { CommandError, type Terminal, exitCodes, styleFor, currentText } from '@toolwright/operate/terminal';
import { type HostPath, checkPath } from './find-hosts.js';
import type { HostChange, HostPlan } from './plan-host.js';

export interface ApplyOptions {
  /** Write without asking. */
  yes: boolean;
  /** Show everything, and write nothing. */
  dryRun: boolean;
  /** Looks at the path once more before a file is written. */
  placeOf(plan: HostPlan): HostPath;
  /** What is said of a host whose file is as it should be. */
  unchanged: string;
}

/**
 * Shows what would be done, asks, and does it.
 *
 * @returns the exit code: 1 if nothing was done for a host, because it cannot be, or because the person refused
 * @throws {CommandError} if nobody can be asked, or a file has changed since it was shown
 */
export async function applyPlans(
  plans: readonly HostPlan[],
  options: ApplyOptions,
  terminal: Terminal,
): Promise<number> {
  const { bold, yellow } = styleFor(terminal);
  const changes = plans.flatMap((plan) => (plan.change ? [{ plan, change: plan.change }] : []));
  for (const { host, change, byHand, problem } of plans) {
    if (change) terminal.out(`${formatChange(change, terminal).join('\n')}\n`);
    else if (byHand) terminal.out(`${bold(host.title)}\n${byHand.map((step) => `  ${step}`).join('\n')}\n`);
    else if (problem !== undefined) terminal.err(`${yellow('not possible:')} ${problem}`);
    else terminal.err(`${host.title}: ${options.unchanged}`);
  }
  const result = plans.some(({ problem }) => problem !== undefined) ? exitCodes.failed : exitCodes.ok;
  if (changes.length === 0 || options.dryRun) return result;
  if (!(await isAgreed(changes.length, options, terminal))) {
    terminal.err('Nothing was written.');
    return exitCodes.failed;
  }
  // All files are checked before the first one is written.
  const stale = changes.find(({ change }) => currentText(change.path) !== change.before);
  if (stale) throw new CommandError(`${stale.change.path} changed in the meantime. Nothing was written.`);
  for (const { plan, change } of changes) {
    checkPath(options.placeOf(plan));
    write(change);
    terminal.err(`${change.path} was written. Start ${plan.host.title} again if it runs.`);
  }
  return result;
}

function write({ path, after, mode }: HostChange): void {
  makeFolder(dirname(path));
  replaceFile(path, after, { mode, isDurable: true });
}

async function isAgreed(count: number, { yes }: ApplyOptions, terminal: Terminal): Promise<boolean> {
  if (yes) return true;
  if (!terminal.ask)
    throw new CommandError(
      'Nothing was written, because the command cannot ask without a terminal. Pass --yes to write everything.',
    );
  const files = count === 1 ? 'this file' : `these ${count} files`;
  return /^y(es)?$/i.test((await terminal.ask(`Write ${files}? [y/N] `)).trim());
}
