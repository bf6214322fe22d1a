import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { repositoryFolder } from '../folders.js';
import type { RunConditions } from '../report/results.js';
import { hasRealTimePriority } from './real-time.js';

/** The name of this machine's processor. */
export const processorName = () => cpus()[0]?.model.trim() ?? 'unknown';

/** The commit that is measured, with `+` if files were changed since; undefined without Git. */
export function measuredCommit(): string | undefined {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repositoryFolder, encoding: 'utf8' });
    const commit = git('rev-parse', '--short=8', 'HEAD').trim();
    // What a run has published is no change of what it has measured.
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'packages', 'apps').trim();
    return changed ? `${commit}+` : commit;
  } catch {
    return undefined;
  }
}

/** Notes how busy the machine is before a run. The function that it returns is called after the run. */
export function beginRun(rounds: number): () => RunConditions {
  const before = loadavg()[0]!;
  const commit = measuredCommit();
  return () => ({
    date: new Date().toISOString(),
    processor: processorName(),
    ...(commit && { commit }),
    load: [before, loadavg()[0]!],
    realTime: hasRealTimePriority(),
    rounds,
  });
}
