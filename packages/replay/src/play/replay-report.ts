import type { RecordingHeader } from '@toolwright/json';
import type { DifferenceKind } from '../compare/compare-answers.js';
import type { AnswerDifference } from '../compare/compare-values.js';
import type { LeftReason } from './left-call.js';
import type { ComparedTime } from './times.js';

/** Which call of the recording something is about. */
export interface CallPlace {
  /** Counts the calls of the recording: 1, 2, 3 and so on. */
  readonly number: number;
  readonly method: string;
  /** The name of the tool or prompt, the address of the resource, else the method. */
  readonly name: string;
  readonly caller: string;
}

/** A call that is answered in another way than it was. */
export interface DifferingCall extends CallPlace {
  readonly kind: DifferenceKind;
  readonly differences: readonly AnswerDifference[];
}

/** A call that was not replayed. */
export interface LeftCall extends CallPlace {
  readonly reason: LeftReason;
  /** Says more about this one, such as who cannot be signed in. */
  readonly words?: string;
}

/** What a replay has found. */
export interface ReplayReport {
  readonly recorded: Pick<RecordingHeader, 'server' | 'contract' | 'revision'>;
  /** The server that answered; missing if nothing was replayed. */
  readonly replayed: { readonly name: string; readonly version: string } | undefined;
  /** How many calls the recording has, how many of them were replayed, and how many of those have the same answer. */
  readonly counts: { readonly calls: number; readonly replayed: number; readonly same: number };
  readonly differing: readonly DifferingCall[];
  readonly left: readonly LeftCall[];
  /** Requests that belong to a connection or to a task: `initialize`, `ping`, `tasks/get`. They are not calls. */
  readonly others: number;
  /** How many replayed calls had an answer with hidden values, and nothing else that differs: nobody knows whether it is the same. */
  readonly uncompared: number;
  /** How many values of answers were hidden when they were recorded. Nobody can compare them. */
  readonly hidden: number;
  /** How long the replay waited because a limit of the server asked it to, in milliseconds. */
  readonly waitedMs: number;
  readonly times: readonly ComparedTime[];
}
