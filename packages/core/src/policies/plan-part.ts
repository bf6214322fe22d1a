import { ConfigurationError, problemsAt, stoppingProblems } from '../base/errors/configuration-error.js';
import type { Environment } from '../call/environment.js';
import { type AnyDraft, locationOf } from '../call/operation/draft.js';
import { refuseHidden } from '../call/refuse.js';
import type { PlannedStep } from './guard.js';

/** A step that is to be planned. */
interface Part extends Pick<PlannedStep, 'name' | 'origin'> {
  readonly draft: AnyDraft;
}

/**
 * Plans one step of a chain. Where a stand-in lacks what only the server of the application has, it has another step in its
 * place, so that everything else of the operation is still known.
 *
 * @throws {ConfigurationError} for whatever is wrong in the code itself
 */
export function planPart(
  { name, origin, draft }: Part,
  { unmet }: Pick<Environment, 'unmet'>,
  plan: () => PlannedStep | undefined,
): PlannedStep[] {
  try {
    const planned = plan();
    return planned ? [planned] : [];
  } catch (error) {
    if (!unmet || !(error instanceof ConfigurationError)) throw error;
    const problems = problemsAt(error, locationOf(draft).location);
    if (stoppingProblems(problems, unmet).length > 0) throw error;
    const lacks = problems.map((problem) => problem.lacks).join(' and ');
    // Nobody calls the operations of such a server.
    return [{ name, origin, detail: `needs ${lacks} of the app`, step: refuseHidden }];
  }
}
