import { factsOf } from '../../base/operation-kinds.js';
import type { JsonSchema } from '@toolwright/manifest';
import { lazily } from '../../base/lazily.js';
import { sensitiveParts } from '../../base/schema/sensitive-parts.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import type { Guard, PlanGuard } from '../guard.js';
import type { Problem } from '../../call/validation/problem.js';
import { rejectArguments } from '../../call/validation/reject-arguments.js';
import { coerceStrings } from '../../call/validation/coerce-strings.js';
import { tellProblems } from '../../call/validation/told-problems.js';
import { validatorFor } from '../../call/validation/validator.js';
import { primitiveDefaults, type Default } from '../../call/values/primitive-defaults.js';
import { planFromText } from '../../call/values/from-text.js';
import { CONFIRMED, takesConfirmed } from '../confirm/ask-to-confirm.js';
import { needsRevival, wholeRevival } from './revive-arguments.js';

type Arguments = Record<string, unknown>;

const planValidation: PlanGuard = (draft, { options }) => {
  const { inputSchema } = draft;
  if (!inputSchema) return undefined;
  const read = planReading(draft, inputSchema);
  const complete = planCompletion(draft, inputSchema);
  const validator = validatorFor(inputSchema, 'caller');
  const tell = lazily(() => planTelling(draft));
  const { coerce = false } = options;
  return {
    origin: 'schema',
    step(call, next) {
      let args: Arguments = read(call.given);
      let problems = validator(args);
      if (problems && coerce) {
        args = coerceStrings(args, problems);
        problems = validator(args);
      }
      if (problems) return rejectArguments(call, tell()(problems, args));
      call.arguments = complete(args);
      return next();
    },
  };
};

/** Messages that authors wrote in their decorators replace those of the schema. */
function planTelling(draft: AnyDraft): (problems: readonly Problem[], args: Arguments) => readonly Problem[] {
  if (!needsRevival(draft)) return (problems) => problems;
  const { inputSchema, target } = draft;
  const by = { revival: wholeRevival(draft), types: target.types!, sensitive: sensitiveParts(inputSchema!) };
  return (problems, args) => tellProblems(problems, args, by);
}

/**
 * Prompts and URI templates carry only strings. If the schema asks for another type, the value is read from
 * the text.
 */
function planReading(draft: AnyDraft, schema: JsonSchema): (given: Readonly<Arguments>) => Arguments {
  return factsOf(draft).arguments === 'json' ? (given) => given : planFromText(schema);
}

/**
 * Adds the defaults, and removes the argument that the framework added. The object from the client is not
 * changed.
 */
function planCompletion(draft: AnyDraft, schema: JsonSchema): (args: Arguments) => Arguments {
  const { standard = [] } = draft.target;
  const isTheirs = (name: string) => standard.some((each) => each.name === '' || each.name === name);
  // A library publishes the default of what its schema returns. It adds this default itself.
  const defaults = primitiveDefaults(schema).filter(([name]) => !isTheirs(name));
  const confirmed = takesConfirmed(draft);
  if (defaults.length === 0 && !confirmed) return (args) => args;
  return (args) => {
    const complete = withDefaults(args, defaults);
    if (confirmed) delete complete[CONFIRMED];
    return complete;
  };
}

/**
 * Makes a copy. The arguments come first: with the defaults first, Node 20 gives each result its own hidden
 * class.
 */
function withDefaults(args: Arguments, defaults: readonly Default[]): Arguments {
  const complete = { ...args };
  for (const [name, value] of defaults) {
    if (!Object.hasOwn(complete, name)) complete[name] = value;
  }
  return complete;
}

/**
 * Checks the arguments against the schema, and adds the schema's defaults. It runs no code of the author
 * except messages, so it can be outside the slot and the deadline: malformed arguments cost almost nothing.
 * All problems are reported together, in words that a model can act on (SEP-1303: for tools, an error result
 * and not a protocol error).
 */
export const validationGuard: Guard = {
  name: 'validate',
  position: 60,
  summary: 'Checks the arguments against the input schema.',
  plan: planValidation,
};
