import type { BackgroundNoun } from '../base/extended.js';

/** How much work there is, over all processes. */
export interface QueueLoad {
  /** Runs that could begin now. */
  readonly waiting: number;
  /** How long the oldest of them has waited, in milliseconds. 0 when there is none. */
  readonly oldestMs: number;
  /** Runs that workers hold. */
  readonly running: number;
  /** Tasks that ended in a way that an operator should look at (`isDead`). */
  readonly dead: number;
  /** What `waiting` is made of, for queues that know it. */
  readonly depth?: readonly QueueDepth[];
}

/** How many runs of one tool could begin now for one class of owners. */
export interface QueueDepth {
  readonly tool: string;
  readonly ownerClass: OwnerClass;
  readonly waiting: number;
}

/** Who tasks belong to, without naming anybody. */
export type OwnerClass = 'principal' | 'anonymous' | BackgroundNoun;
