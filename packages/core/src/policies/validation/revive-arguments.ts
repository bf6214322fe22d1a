import type { Revival } from '@toolwright/manifest';
import type { ToolResult } from '../../base/content/content.js';
import type { ActiveCall } from '../../call/active-call.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import type { Guard, PlanGuard } from '../guard.js';
import { validateInstances } from '../../call/validation/class-validation.js';
import { PendingChecks } from '../../call/validation/pending-checks.js';
import { rejectArguments } from '../../call/validation/reject-arguments.js';
import { compileRevival, type Reviver } from '../../call/values/revive.js';
import { UnrevivableError } from '../../call/values/unrevivable-error.js';

const planRevival: PlanGuard = (draft, { options }) => {
  if (!needsRevival(draft)) return undefined;
  const always = options.validation === 'always';
  let revive: Reviver | undefined;
  return {
    origin: 'schema',
    detail: always ? 'always with class-validator' : undefined,
    step(call, next) {
      revive ??= compile(draft, always);
      const pending = new PendingChecks();
      try {
        call.arguments = revive(call.arguments, pending, '') as Record<string, unknown>;
        if (pending.unchecked.length === 0) pending.finish();
      } catch (error) {
        return rejectUnrevivable(call, error);
      }
      if (pending.unchecked.length === 0) return next();
      call.isPreparing = true;
      return validateInstances(pending).then((problems) => {
        call.isPreparing = false;
        call.ensureWanted();
        if (problems.length > 0) return rejectArguments(call, problems);
        try {
          pending.finish();
        } catch (error) {
          return rejectUnrevivable(call, error);
        }
        return next();
      });
    },
  };
};

/** The error of the author's own code goes to the log. The caller learns which value caused it. */
function rejectUnrevivable(call: ActiveCall, error: unknown): ToolResult {
  if (!(error instanceof UnrevivableError)) throw error;
  const { logger } = call.environment;
  if (error.cause !== undefined)
    logger.debug({ err: error.cause, operation: call.operation.name }, 'A @Transform refused an argument');
  return rejectArguments(call, error.problems);
}

/** How the arguments as a whole are revived. */
export function wholeRevival({ target: { revive: { input = {} } = {} } }: AnyDraft): Revival {
  return input[''] ?? { kind: 'object', properties: input };
}

export function needsRevival({ inputSchema, target: { revive, types } }: AnyDraft): boolean {
  return inputSchema !== undefined && types !== undefined && Object.keys(revive?.input ?? {}).length > 0;
}

/** Compiles at the first call, because most tools of a large server are never called. */
function compile(draft: AnyDraft, always: boolean): Reviver {
  return compileRevival(wholeRevival(draft), { types: draft.target.types!, always });
}

/**
 * Turns JSON values into what the types say: dates become `Date`, DTOs become instances, and class-validator
 * then checks them. The transforms and validators are code of the author and may be async, so this guard is
 * inside the slot and the deadline. Operations whose arguments are plain JSON do not have this step.
 */
export const revivalGuard: Guard = {
  name: 'revive',
  position: 100,
  summary: "Makes dates, maps and DTO instances of JSON, and runs the author's validators.",
  plan: planRevival,
};
