import type { TracedStep } from '@toolwright/core';

/** A part of a time line, in milliseconds after the call began. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** When a step ran: all of it with the steps inside it, and its own work before and after them. */
export interface StepBar {
  readonly whole: Stretch;
  readonly own: readonly Stretch[];
}

/**
 * The bars of the steps, outermost first. A step knows when it began and how long it took without the steps inside it.
 * They lie in each other, so a step takes as long as its own work and the next step together.
 */
export function stepBars(steps: readonly TracedStep[]): StepBar[] {
  const bars: StepBar[] = [];
  let innerMs = 0;
  for (let index = steps.length - 1; index >= 0; index--) {
    const { beganMs, ownMs } = steps[index]!;
    const inner = steps[index + 1];
    const wholeMs = ownMs + innerMs;
    const whole = { from: beganMs, to: beganMs + wholeMs };
    if (!inner) bars.unshift({ whole, own: [whole] });
    else {
      const before = Math.min(Math.max(inner.beganMs - beganMs, 0), ownMs);
      bars.unshift({
        whole,
        own: [
          { from: beganMs, to: beganMs + before },
          { from: whole.to - (ownMs - before), to: whole.to },
        ],
      });
    }
    innerMs = wholeMs;
  }
  return bars;
}
