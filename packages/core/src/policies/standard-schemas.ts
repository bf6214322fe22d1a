import type { ActiveCall } from '@toolwright/ground/call/active-call';
import type { StandardArgument } from '@toolwright/ground/call/operation/draft';
import { rejectArguments } from '@toolwright/ground/call/refuse';
import {
  type Problem,
  type StandardResult,
  setOwn,
  standardProblems,
  thrownProblem,
  after,
  isPromise,
  type MaybePromise,
} from '@toolwright/json';
import type { BuiltInGuard, PlanGuard } from './guard.js';

type Arguments = Record<string, unknown>;

const planConversion: PlanGuard = ({ target: { standard } }) =>
  standard && {
    origin: 'schema',
    detail: [...new Set(standard.map(({ schema }) => schema['~standard'].vendor))].join(', '),
    step: (call, next) =>
      after(
        () => {
          call.isPreparing = true;
          return convertAll(standard, call.arguments);
        },
        (converted) => {
          call.isPreparing = false;
          call.ensureWanted();
          const problems = converted.flatMap(({ problems = [] }) => problems);
          if (problems.length > 0) {
            noteErrors(call, converted);
            return rejectArguments(call, problems);
          }
          call.arguments = combine(call.arguments, converted);
          return next();
        },
      ),
  };

/** What became of one argument. */
interface Converted {
  readonly name: string;
  readonly value?: unknown;
  readonly problems?: readonly Problem[];
  /** What the author's code in the schema threw. */
  readonly error?: unknown;
}

/** All schemas run, so that the caller learns about all problems together. */
function convertAll(
  standard: readonly StandardArgument[],
  args: Arguments,
): MaybePromise<readonly Converted[]> {
  const converted = standard
    .filter(({ name, takesNothing }) => name === '' || takesNothing || Object.hasOwn(args, name))
    .map((argument) => convert(argument, args));
  return converted.some(isPromise)
    ? Promise.all(converted.map((each) => Promise.resolve(each)))
    : (converted as Converted[]);
}

function convert({ name, schema }: StandardArgument, args: Arguments): MaybePromise<Converted> {
  const given = name === '' ? args : Object.hasOwn(args, name) ? args[name] : undefined;
  const pointer = name === '' ? '' : `/${name}`;
  return after(
    () => schema['~standard'].validate(given),
    (result: StandardResult<unknown>): Converted =>
      result.issues
        ? { name, problems: standardProblems(result.issues, given, pointer) }
        : { name, value: result.value },
    (error): Converted => {
      const problem = thrownProblem(error, pointer);
      if (!problem) throw error;
      return { name, problems: [problem], error };
    },
  );
}

/** The arguments of the client are not changed. The output of a schema for all arguments replaces them. */
function combine(args: Arguments, converted: readonly Converted[]): Arguments {
  const whole = converted.find(({ name }) => name === '');
  if (whole) return whole.value as Arguments;
  const combined = { ...args };
  for (const { name, value } of converted) setOwn(combined, name, value);
  return combined;
}

/** The caller learns which value caused the error, and the log contains the error. */
function noteErrors(call: ActiveCall, converted: readonly Converted[]): void {
  const { environment, operation } = call;
  for (const { error } of converted) {
    if (error === undefined) continue;
    const err = call.forLog(error);
    environment.logger.debug({ err, operation: operation.name }, 'A schema failed on an argument');
  }
}

/**
 * Runs the schemas of Zod, Valibot, ArkType and the like. The published JSON Schema has accepted the
 * arguments before, with its limits of length and time. These schemas contain code of the author and may be
 * async, so this guard is inside the slot and the deadline.
 */
export const conversionGuard: BuiltInGuard = {
  name: 'convert',
  position: 105,
  summary: 'Runs the Zod, Valibot and ArkType schemas of arguments, and takes their output.',
  plan: planConversion,
};
