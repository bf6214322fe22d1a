import { type CallProgress, type PartOf, afterProgress } from './progress.js';
import type { ArgsOf, ToolResultOf, ToolName, View } from './view.js';

/** How far a call is that a view makes. `idle`: it was not started. */
export type CallPhase = 'idle' | 'running' | 'done' | 'failed' | 'cancelled';

/** All that a view shows of a call, at one time. It is a new object after each change. */
export interface CallSnapshot<Result = unknown> {
  readonly phase: CallPhase;
  readonly result: Result | undefined;
  /** What has come of the result so far, if the server sends parts and the host hands them on. */
  readonly part: PartOf<Result> | undefined;
  /** The last report. Hosts that hand on no progress leave it out. */
  readonly progress: CallProgress<PartOf<Result>> | undefined;
  /** Why the call failed. */
  readonly text: string;
}

/** Calls of one tool that a view makes, one at a time. */
export interface ToolCall<Args = Record<string, unknown>, Result = unknown> {
  readonly snapshot: CallSnapshot<Result>;
  /** Calls the tool. A call that runs is cancelled. It never rejects: `snapshot` says how the call ends. */
  start(args: Args): Promise<void>;
  /** Ends the call that runs, also one that has become a task. */
  cancel(): void;
  /** Calls the listener after each change of `snapshot`. @returns a function that ends it */
  onChange(listener: () => void): () => void;
}

const idle = { phase: 'idle', result: undefined, part: undefined, progress: undefined, text: '' } as const;

/**
 * Follows the calls of a tool: their progress, the parts of the result, the result.
 *
 * @example
 * const rows = toolCall(view, 'export_rows');
 * showCall(rows, document.querySelector('#status')!);
 * void rows.start({ from: 2020 });
 */
export function toolCall<Name extends ToolName>(
  view: Pick<View, 'call'>,
  name: Name,
): ToolCall<ArgsOf<Name>, ToolResultOf<Name>> {
  type Result = ToolResultOf<Name>;
  const listeners = new Set<() => void>();
  let snapshot: CallSnapshot<Result> = idle;
  let running: AbortController | undefined;

  const change = (changes: Partial<CallSnapshot<Result>>) => {
    snapshot = { ...snapshot, ...changes };
    for (const listener of listeners) listener();
  };

  return {
    get snapshot() {
      return snapshot;
    },
    async start(args) {
      running?.abort();
      const own = (running = new AbortController());
      const takes = (changes: Partial<CallSnapshot<Result>>) => {
        // A later call has taken the place of this one, or a person has cancelled it.
        if (running === own) change(changes);
      };
      change({ ...idle, phase: 'running' });
      try {
        const result = await view.call(name, args, {
          signal: own.signal,
          onProgress: (progress) => takes(afterProgress(progress, snapshot.part)),
        });
        takes({ phase: 'done', result });
      } catch (error) {
        takes({ phase: 'failed', text: (error as Error).message });
      }
      if (running === own) running = undefined;
    },
    cancel() {
      if (!running) return;
      const own = running;
      running = undefined;
      own.abort();
      change({ phase: 'cancelled' });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
