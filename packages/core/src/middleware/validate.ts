import type { JsonSchema } from '@toolwright/manifest';
import { JsonRpcCode } from '../errors/protocol-error.js';
import type { ActiveCall } from '../pipeline/active-call.js';
import type { MaybePromise } from '../pipeline/operation.js';
import type { AnyDraft } from '../pipeline/draft.js';
import type { Environment } from '../pipeline/environment.js';
import type { PlanStep } from '../pipeline/plan-step.js';
import { refuse } from '../pipeline/refuse.js';
import { validateInstances } from '../pipeline/validation/class-validation.js';
import { coerceStrings } from '../pipeline/validation/coerce-strings.js';
import { describeProblems } from '../pipeline/validation/describe-problems.js';
import type { Problem } from '../pipeline/validation/problem.js';
import { validatorFor } from '../pipeline/validation/validator.js';
import type { Unchecked } from '../pipeline/validation/class-validation.js';
import { compileRevival, UnrevivableError, type Reviver } from '../pipeline/values/revive.js';
import { primitiveDefaults, type Default } from '../pipeline/values/primitive-defaults.js';
import { fromText } from '../pipeline/values/from-text.js';
import { CONFIRMED, takesConfirmed } from './confirm.js';

type Arguments = Record<string, unknown>;

/**
 * Checks the arguments against the schema and revives them: dates become `Date`, DTOs instances. All problems are told
 * at once, in words a model can act on (SEP-1303: an error result, not a protocol error, for tools).
 */
export const planValidation: PlanStep = (draft, environment) => {
  const { inputSchema } = draft;
  if (!inputSchema) return undefined;
  const prepare = planPreparation(draft, inputSchema, environment);
  const read = planReading(draft, inputSchema);
  const validator = validatorFor(inputSchema, 'caller');
  const { coerce = false } = environment.options;
  return {
    name: 'validate',
    origin: 'schema',
    detail: environment.options.validation === 'always' ? 'always with class-validator' : undefined,
    step(call, next) {
      let args: Arguments = read(call.given);
      let problems = validator(args);
      if (problems && coerce) {
        args = coerceStrings(args, problems);
        problems = validator(args);
      }
      if (problems) return reject(call, problems);
      const found = prepare(args, call);
      if (Array.isArray(found)) return found.length ? reject(call, found) : next();
      return found.then((late) => (late.length ? reject(call, late) : next()));
    },
  };
};

/** Prompts and URI templates carry strings only: what the schema wants otherwise is read from the text. */
function planReading({ kind }: AnyDraft, schema: JsonSchema): (given: Readonly<Arguments>) => Arguments {
  return kind === 'tool' ? (given) => given : (given) => fromText(given, schema);
}

/** Sets `call.arguments`; gives the problems that only show while reviving. */
function planPreparation(draft: AnyDraft, schema: JsonSchema, { options }: Environment) {
  const { target } = draft;
  const defaults = primitiveDefaults(schema);
  const confirmed = takesConfirmed(draft);
  let revive: Reviver | undefined;
  const compile = () => {
    const { revive: { input = {} } = {}, types } = target;
    if (!types || Object.keys(input).length === 0) return (value: unknown) => value;
    const whole = input[''] ?? { kind: 'object' as const, properties: input };
    return compileRevival(whole, { types, always: options.validation === 'always' });
  };
  return (args: Arguments, call: ActiveCall): MaybePromise<Problem[]> => {
    revive ??= compile();
    const complete = defaults.length > 0 || confirmed ? withDefaults(args, defaults) : args;
    if (confirmed) delete complete[CONFIRMED];
    const unchecked: Unchecked[] = [];
    try {
      call.arguments = revive(complete, unchecked, '') as Arguments;
    } catch (error) {
      if (error instanceof UnrevivableError) return [error.problem];
      throw error;
    }
    return unchecked.length ? validateInstances(unchecked) : [];
  };
}

/** A copy. Arguments first: defaults first and then arguments, Node 20 gives each result a hidden class of its own. */
function withDefaults(args: Arguments, defaults: readonly Default[]): Arguments {
  const complete = { ...args };
  for (const [name, value] of defaults) {
    if (!Object.hasOwn(complete, name)) complete[name] = value;
  }
  return complete;
}

function reject(call: ActiveCall, problems: readonly Problem[]) {
  const { operation, environment } = call;
  return refuse(call, {
    outcome: 'invalid',
    reason: 'TW_INVALID_ARGUMENTS',
    text: environment.cleanText(`Invalid arguments for ${operation.name}:\n${describeProblems(problems)}`),
    rpcCode: JsonRpcCode.invalidParams,
  });
}
