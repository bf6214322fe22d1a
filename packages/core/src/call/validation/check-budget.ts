import { StepBudget } from '../../base/patterns/step-budget.js';
import { VisitBudget } from './visit-budget.js';

/**
 * Who made the values. A caller's text that would keep a pattern busy does not match it. A method's counts as one that
 * does: the method may repeat what a caller wrote, but its result must not depend on how long that is.
 */
export type Maker = 'caller' | 'method';

/**
 * The check that runs. Whoever begins one gives it the next number. The budgets below are refilled when a check first
 * takes from them: most checks take nothing.
 */
export const currentCheck = { number: 0, explain: false };

/** What the patterns of one check may cost. */
export const steps = {
  caller: new StepBudget(false, currentCheck),
  method: new StepBudget(true, currentCheck),
};
/** How many references one check may follow. */
export const visits = new VisitBudget(currentCheck);

/** A text did not match for want of budget: that says nothing where a text that matches would be refused, or looked at. */
export function isUntold(maker: Maker): boolean {
  return maker === 'caller' && steps.caller.isExhausted;
}
