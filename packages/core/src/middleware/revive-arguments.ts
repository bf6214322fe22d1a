import type { AnyDraft } from '../pipeline/draft.js';
import type { PlanStep } from '../pipeline/plan-step.js';
import { validateInstances, type Unchecked } from '../pipeline/validation/class-validation.js';
import { rejectArguments } from '../pipeline/validation/reject-arguments.js';
import { compileRevival, UnrevivableError, type Reviver } from '../pipeline/values/revive.js';

/**
 * Makes of JSON values what the types say: dates become `Date`, DTOs instances, which class-validator then checks. The
 * transforms and validators are the author's own code and may wait for something, so that this stands inside of the slot
 * and the deadline. Operations whose arguments are JSON already have no such step.
 */
export const planRevival: PlanStep = (draft, { options }) => {
  if (!needsRevival(draft)) return undefined;
  const always = options.validation === 'always';
  let revive: Reviver | undefined;
  return {
    name: 'revive',
    origin: 'schema',
    detail: always ? 'always with class-validator' : undefined,
    step(call, next) {
      revive ??= compile(draft, always);
      const unchecked: Unchecked[] = [];
      try {
        call.arguments = revive(call.arguments, unchecked, '') as Record<string, unknown>;
      } catch (error) {
        if (error instanceof UnrevivableError) return rejectArguments(call, [error.problem]);
        throw error;
      }
      if (unchecked.length === 0) return next();
      return validateInstances(unchecked).then((problems) => {
        call.ensureWanted();
        return problems.length > 0 ? rejectArguments(call, problems) : next();
      });
    },
  };
};

function needsRevival({ inputSchema, target: { revive, types } }: AnyDraft): boolean {
  return inputSchema !== undefined && types !== undefined && Object.keys(revive?.input ?? {}).length > 0;
}

/** At the first call: most tools of a large server are never called. */
function compile({ target: { revive: { input = {} } = {}, types } }: AnyDraft, always: boolean): Reviver {
  const whole = input[''] ?? { kind: 'object' as const, properties: input };
  return compileRevival(whole, { types: types!, always });
}
