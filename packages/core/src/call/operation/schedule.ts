import type { Ticks } from '@toolwright/manifest';
import type { ToolDraft } from './draft.js';
import type { BoundTool } from './operation.js';

/** A method that runs at certain times. */
export interface ScheduleFacts {
  /** It is unique within a server. */
  readonly name: string;
  readonly cron: string;
  readonly timeZone: string;
  readonly ticks: Ticks;
  /** How late a run may begin, in milliseconds. */
  readonly catchUpMs: number;
}

/** A schedule without its chain. */
export interface ScheduleDraft extends ScheduleFacts {
  /**
   * The method in the form of a tool without arguments. No client can see or call it, and only the guards that mean
   * something without a caller stand around it.
   */
  readonly operation: ToolDraft;
  /** Whose method it is. Several services may need the class, and find the schedule. */
  readonly owner: object;
}

/** A schedule that is ready to run. */
export interface BoundSchedule extends ScheduleFacts {
  readonly operation: BoundTool;
}
