import type { CallerGroup } from '../session/caller-values.js';
import type { Folders, Round } from './round.js';
import type { Parking, UpstreamRun } from './upstream-run.js';

/** What is asked of a server behind. */
export interface UpstreamRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether a call whose answer was lost may be made again. */
  readonly isRepeatable: boolean;
  /** The headers that the arguments are repeated in (SEP-2243). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What calls use of their mount. */
export interface CallHost {
  foldersOf(group: CallerGroup): Folders;
  readonly parked: Parking & { take(id: string, isCaller: (run: UpstreamRun) => boolean): UpstreamRun };
  /** Begins a run. It is repeated, and its session is opened again, as far as that does no harm. */
  begin(wanted: UpstreamRequest, round: Round): Promise<UpstreamRun>;
  /** Cancels a task whose caller has cancelled it. It does not wait. */
  cancelTask(taskId: string, round: Round): void;
  /** Whether a run belongs to the caller of a round. */
  isCaller(run: UpstreamRun, round: Round): boolean;
}
