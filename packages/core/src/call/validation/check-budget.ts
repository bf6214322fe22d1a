import { StepBudget } from '../../base/patterns/step-budget.js';
import { VisitBudget } from './visit-budget.js';

/**
 * Who made the values. A caller's text that would keep a pattern busy does not match it. A method's counts as one that
 * does: the method may repeat what a caller wrote, but its result must not depend on how long that is.
 */
export type Maker = 'caller' | 'method';

/** What the patterns of one check may cost. */
export const steps = { caller: new StepBudget(), method: new StepBudget(true) };
/** How many references one check may follow. */
export const visits = new VisitBudget();

/** A text did not match for want of budget: that says nothing where a text that matches would be refused, or looked at. */
export function isUntold(maker: Maker): boolean {
  return maker === 'caller' && steps.caller.isExhausted;
}

/** Before each check. */
export function refillBudgets(mode: { explain: boolean }): void {
  steps.caller.refill();
  steps.method.refill();
  visits.refill(mode);
}
