import { StepBudget } from '../../base/patterns/step-budget.js';
import { VisitBudget } from './visit-budget.js';

/**
 * Who made the values. If a pattern would take too long on a caller's text, the text does not match. If it
 * would take too long on a method's text, the text counts as matching: the method may repeat what a caller
 * wrote, but the validity of its result must not depend on the length.
 */
export type Maker = 'caller' | 'method';

/**
 * The current check. Each new check increases the number. The budgets below are refilled when a check first
 * uses them, because most checks use none.
 */
export const currentCheck = { number: 0, explain: false };

/** The step budget for the patterns of one check. */
export const steps = {
  caller: new StepBudget(false, currentCheck),
  method: new StepBudget(true, currentCheck),
};
/** The budget for the references that one check follows. */
export const visits = new VisitBudget(currentCheck);

/**
 * Whether a text did not match because the budget was used up. Keywords such as `not`, which need the
 * opposite, must then not trust the result.
 */
export function isUntold(maker: Maker): boolean {
  return maker === 'caller' && steps.caller.isExhausted;
}
