import type { ToolResult } from '@toolwright/ground/base/content';
import { factsOf } from '@toolwright/ground/base/operation-kinds';
import type { ActiveCall } from '@toolwright/ground/call/active-call';
import { type AnyDraft, leavesOutWhole } from '@toolwright/ground/call/operation/draft';
import { rejectArguments } from '@toolwright/ground/call/refuse';
import {
  addDefaults,
  coerceStrings,
  copyData,
  compileRevival,
  defaultsIn,
  findInexactProblems,
  inAuthorWords,
  type JsonSchema,
  lazily,
  PendingChecks,
  planFromText,
  type Problem,
  type Revival,
  type Reviver,
  sensitiveParts,
  UnrevivableError,
  validateInstances,
  validatorFor,
} from '@toolwright/json';
import type { ManifestParameter } from '@toolwright/manifest';
import { dropCursor, takesCursor } from './output/continue-output.js';
import { CONFIRMED, takesConfirmed } from './confirm/ask-to-confirm.js';
import type { BuiltInGuard, PlanGuard } from './guard.js';

type Arguments = Record<string, unknown>;

const planValidation: PlanGuard = (draft, environment) => {
  const { options } = environment;
  const { inputSchema } = draft;
  if (!inputSchema) return undefined;
  // Prompts and URI templates carry only strings. If the schema asks for another type, the value is read from the text.
  const read =
    factsOf(draft).arguments === 'json' ? (given: Readonly<Arguments>) => given : planFromText(inputSchema);
  const completed = planCompletion(draft, inputSchema);
  const complete = takesCursor(draft, environment)
    ? (args: Arguments) => completed(dropCursor(args))
    : completed;
  const validator = validatorFor(inputSchema, 'caller');
  const inWords = lazily(() => planWording(draft));
  const { coerce = false } = options.input ?? {};
  // What the client sent is recorded, approved and cached under, so nobody who gets the arguments may change it.
  const own = isFlat(inputSchema) ? (args: Arguments) => args : copyData<Arguments>;
  return {
    origin: 'schema',
    step(call, next) {
      let args: Arguments = read(call.given);
      const { inexact } = call.request;
      const unread = inexact && findInexactProblems(args, inexact, inputSchema);
      let problems = validator(args);
      if (unread && unread.length > 0) {
        const places = new Set(unread.map(({ pointer }) => pointer));
        const others = (problems ?? []).filter(({ pointer }) => !places.has(pointer));
        return rejectArguments(call, [...unread, ...inWords()(others, args)]);
      }
      if (problems && coerce) {
        args = coerceStrings(args, problems);
        problems = validator(args);
      }
      if (problems) return rejectArguments(call, inWords()(problems, args));
      call.arguments = own(complete(args));
      return next();
    },
  };
};

const SCALARS: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null']);

/** Whether no argument has parts that could be changed. */
export function isFlat({ additionalProperties, patternProperties, properties = {} }: JsonSchema): boolean {
  const isScalar = (schema: JsonSchema | boolean) =>
    typeof schema === 'object' && [schema.type].flat().every((type) => SCALARS.has(type));
  return additionalProperties === false && !patternProperties && Object.values(properties).every(isScalar);
}

/** Messages that authors wrote in their decorators replace the messages of the schema. */
function planWording(draft: AnyDraft): (problems: readonly Problem[], args: Arguments) => readonly Problem[] {
  if (!needsRevival(draft)) return (problems) => problems;
  const { inputSchema, target } = draft;
  const { input = {} } = target.revive ?? {};
  const revival: Revival = input[''] ?? { kind: 'object', properties: input };
  const by = { revival, types: target.types!, sensitive: sensitiveParts(inputSchema!) };
  return (problems, args) => inAuthorWords(problems, args, by);
}

/**
 * Adds the defaults, and removes the argument that the framework added. The object from the client is not
 * changed.
 */
function planCompletion(draft: AnyDraft, schema: JsonSchema): (args: Arguments) => Arguments {
  const { standard = [], parameters = [] } = draft.target;
  // A schema library adds its defaults itself, and so does the code of a parameter with a default. They are not added here.
  const own = new Set(parameters.flatMap(ownNames));
  const isTheirs = (name: string) =>
    own.has(name) || standard.some((each) => each.name === '' || each.name === name);
  const defaults = defaultsIn(schema).filter(([name]) => !isTheirs(name));
  const confirmed = takesConfirmed(draft);
  if (defaults.length === 0 && !confirmed) return (args) => args;
  const omits = leavesOutWhole(parameters);
  const others = defaults.filter(([name]) => parameters.some((each) => each.name === name));
  return (args) => {
    // The arguments come first: with the defaults first, Node 20 gives each result its own hidden class.
    const complete = { ...args };
    if (confirmed) delete complete[CONFIRMED];
    return addDefaults(complete, omits?.(complete) ? others : defaults);
  };
}

/** The names whose defaults the method applies. */
function ownNames({ kind, name, ownDefault, ownDefaults = [] }: ManifestParameter): readonly string[] {
  return kind === 'argument' && ownDefault ? [name] : ownDefaults;
}

/**
 * Checks the arguments against the schema, and adds the schema's defaults. It runs no code of the author
 * except messages, so it can be outside the slot and the deadline: malformed arguments cost almost nothing.
 * All problems are reported together, in words that a model can act on (SEP-1303: for tools, an error result
 * and not a protocol error).
 */
export const validationGuard: BuiltInGuard = {
  name: 'validate',
  position: 60,
  summary: 'Checks the arguments against the input schema.',
  plan: planValidation,
};

const planRevival: PlanGuard = (draft, { options, readError }) => {
  if (!needsRevival(draft)) return undefined;
  const always = options.input?.validation === 'always';
  let revive: Reviver | undefined;
  return {
    origin: 'schema',
    detail: always ? 'always with class-validator' : undefined,
    step(call, next) {
      revive ??= compile(draft, { always, wordsOf: (error) => readError(error)?.message });
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
  if (error.cause !== undefined) {
    const err = call.forLog(error.cause);
    logger.debug({ err, operation: call.operation.name }, 'A @Transform refused an argument');
  }
  return rejectArguments(call, error.problems);
}

function needsRevival({ inputSchema, target: { revive, types } }: AnyDraft): boolean {
  return inputSchema !== undefined && types !== undefined && Object.keys(revive?.input ?? {}).length > 0;
}

/** Compiles at the first call, because most tools of a large server are never called. */
function compile({ target }: AnyDraft, given: Omit<Parameters<typeof compileRevival>[1], 'types'>): Reviver {
  const options = { types: target.types!, ...given };
  const { '': whole, ...others } = target.revive!.input!;
  const ofOthers = compileRevival({ kind: 'object', properties: others }, options);
  if (!whole) return ofOthers;
  const ofWhole = compileRevival(whole, { ...options, ownDefaults: target.parameters?.flatMap(ownNames) });
  const omits = leavesOutWhole(target.parameters);
  const names = Object.keys(others);
  if (!omits && names.length === 0) return ofWhole;
  // The whole input of a destructured parameter has the other arguments beside its own properties.
  return (args, pending, pointer) => {
    const revived = ofOthers(args, pending, pointer) as Arguments;
    if (omits?.(revived)) return revived;
    const result = ofWhole(args, pending, pointer) as Arguments;
    for (const name of names) if (Object.hasOwn(revived, name)) result[name] = revived[name];
    return result;
  };
}

/**
 * Turns JSON values into what the types say: dates become `Date`, DTOs become instances, and class-validator
 * then checks them. The transforms and validators are code of the author and may be async, so this guard is
 * inside the slot and the deadline. Operations whose arguments are plain JSON do not have this step.
 */
export const revivalGuard: BuiltInGuard = {
  name: 'revive',
  position: 100,
  summary: "Makes dates, maps and DTO instances of JSON, and runs the author's validators.",
  plan: planRevival,
};
