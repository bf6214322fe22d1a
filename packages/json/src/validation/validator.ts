import { partsOf } from '../schema/sensitive.js';
import { sharedDefinitions } from '../schema/references.js';
import type { JsonSchema } from '../schema/json-schema.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type Ajv from 'ajv';
import { lazily, oncePerSchema } from '../once.js';
import { type ValueSource, TooManyVisitsError, currentCheck, steps, visits } from './check-budget.js';
import { boundFormats, uniqueItems } from './value-checks.js';
import { validateAndExplain, verdictOf } from './validate-and-explain.js';
import { UnknownKeywordError } from './validation-run.js';
import { LazyReferences } from './lazy-references.js';
import { problemsOf, tellTooLong, type Problem } from './problem.js';

/** The problems of a value; undefined if it is valid. */
export type Validator = (value: unknown) => readonly Problem[] | undefined;

type AjvErrors = readonly ErrorObject[];

/** Above this many values, collecting all errors would cost an attacker little and the server much. */
const explainable = 5_000;

/**
 * The first error ends a check, so that `maxLength` keeps a long text away from the pattern beside it. An
 * explanation runs both.
 */
const explainableText = 1_000;

const validators = { caller: new WeakMap<object, Validator>(), method: new WeakMap<object, Validator>() };

/** The validator of a schema. A value that is not certainly valid is checked again, to say what is wrong. */
export function validatorFor(schema: JsonSchema, source: ValueSource): Validator {
  const known = validators[source].get(schema);
  if (known) return known;
  const check = errorsOf(schema, { source, explain: false });
  const explain = errorsOf(schema, { source, explain: true });
  const explained = (value: unknown) => {
    const all = isLarge(value) ? undefined : run(explain, value, { explain: true });
    return all === TOO_COMPLEX ? undefined : all;
  };
  const decide = verdictOf(schema, source);
  const validator = (value: unknown): readonly Problem[] | undefined => {
    const verdict = decide(value);
    if (verdict) return undefined;
    // Most wrong values are small and quickly explained, so they need no second check.
    const all = verdict === false ? explained(value) : undefined;
    if (all && !steps.caller.isExhausted) return all;
    const first = run(check, value, { explain: false });
    if (!first) return undefined;
    if (first === TOO_COMPLEX || steps.caller.isExhausted) return first.map(tellTooLong);
    return (verdict === undefined && explained(value)) || first;
  };
  validators[source].set(schema, validator);
  return validator;
}

/**
 * Returns the errors of values. Ajv is loaded, and compiles the schema, only for keywords that our own
 * functions do not know.
 */
function errorsOf(schema: JsonSchema, purpose: Purpose): (value: unknown) => AjvErrors {
  const compiled = lazily(() => compile(schema, purpose));
  let isForAjv = false;
  return (value) => {
    if (!isForAjv) {
      try {
        return validateAndExplain(schema, value, purpose);
      } catch (error) {
        if (!(error instanceof UnknownKeywordError)) throw error;
        isForAjv = true;
        beginCheck(purpose);
      }
    }
    return compiled()(value) ? [] : (compiled().errors ?? []);
  };
}

const TOO_COMPLEX: readonly Problem[] = [
  { pointer: '', keyword: '$ref', expected: 'a value that is less nested: it would take too long to check' },
];

/**
 * The number of union errors times the number of all errors. Finding the intended alternative takes this many
 * comparisons.
 */
const MAX_COMPARED = 100_000;
/** The caller only sees twenty of them. */
const MAX_ERRORS = 1_000;

/** The errors of a value, as far as the check goes. */
function run(
  check: (value: unknown) => AjvErrors,
  value: unknown,
  mode: { explain: boolean },
): readonly Problem[] | undefined {
  beginCheck(mode);
  try {
    const errors = check(value);
    if (errors.length === 0) return undefined;
    const unions = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf').length;
    if (unions * errors.length > MAX_COMPARED) return TOO_COMPLEX;
    return problemsOf(unions > 0 ? errors : errors.slice(0, MAX_ERRORS), value);
  } catch (error) {
    if (error instanceof TooManyVisitsError) return TOO_COMPLEX;
    throw error;
  }
}

/** Whether a value, or a part of a validated value, matches a schema, without an explanation. */
export function accepts(schema: JsonSchema): (value: unknown) => boolean {
  const check = errorsOf(schema, { source: 'method', explain: false });
  const decide = verdictOf(schema, 'method');
  return (value) => {
    const verdict = decide(value);
    if (verdict !== undefined) return verdict;
    beginCheck({ explain: false });
    return check(value).length === 0;
  };
}

/** Starts a check. Its budgets are full. */
function beginCheck({ explain }: { explain: boolean }): void {
  currentCheck.number++;
  currentCheck.explain = explain;
}

interface Purpose {
  source: ValueSource;
  explain: boolean;
}
const instances = new Map<string, Ajv>();
const references = new WeakMap<Ajv, LazyReferences>();

function compile(schema: JsonSchema, purpose: Purpose): ValidateFunction {
  const key = `${purpose.source} ${purpose.explain}`;
  let ajv = instances.get(key);
  if (!ajv) instances.set(key, (ajv = create(purpose)));
  const definitions = sharedDefinitions(schema);
  if (!definitions || !canBeLazy(schema)) return compileAlone(ajv, schema);
  const [own] = partsOf(schema);
  return references.get(ajv)!.within(definitions, (definition) => compileAlone(ajv, definition), own!);
}

function compileAlone(ajv: Ajv, schema: JsonSchema): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    // Compiled functions do not need the Ajv instance. The instance would keep every schema that it ever saw,
    // even those of removed tools.
    ajv.removeSchema(schema);
    if (typeof schema.$id === 'string') ajv.removeSchema(schema.$id);
  }
}

/** Ajv only knows what was evaluated, and what an address refers to, if it follows all references itself. */
const canBeLazy = (schema: JsonSchema): boolean => partsOf(schema).every(standsAlone);

const standsAlone = oncePerSchema(
  (part) =>
    !/"unevaluated\w+":|"\$(?:dynamicRef|dynamicAnchor|anchor|id)":"|"\$ref":"(?!#\/\$defs\/[^/"]+")/.test(
      JSON.stringify(part),
    ),
);

/**
 * Ajv is not loaded at boot, and never for a server whose tools are not called, because loading takes about
 * 50 ms.
 */
function create({ source, explain }: Purpose): Ajv {
  /* eslint-disable @typescript-eslint/no-require-imports -- synchronous and at first need: see above */
  const { default: Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  /* eslint-enable @typescript-eslint/no-require-imports */
  const ajv: Ajv = new Ajv2020({
    strict: false,
    logger: false,
    // Schemas come from the compiler, or were checked at boot.
    validateSchema: false,
    meta: false,
    // An empty object must not count as having the required property "constructor".
    ownProperties: true,
    allErrors: explain,
    verbose: explain,
    code: { regExp: boundedRegExp[source] },
  });
  addFormats(ajv as never);
  ajv.removeKeyword('uniqueItems').addKeyword(uniqueItems);
  references.set(ajv, new LazyReferences(ajv));
  if (source === 'caller') visits.limit(ajv);
  for (const [name, check] of boundFormats(source)) ajv.addFormat(name, check);
  return ajv;
}

// Ajv would use this text in standalone code, but that is never generated, so it is empty.
const boundedRegExp = {
  caller: Object.assign((pattern: string) => steps.caller.matcher(pattern), { code: '' }),
  method: Object.assign((pattern: string) => steps.method.matcher(pattern), { code: '' }),
};

function isLarge(value: unknown): boolean {
  let left = explainable;
  const visit = (part: unknown): boolean => {
    if (--left < 0) return true;
    if (typeof part === 'string') return part.length > explainableText;
    if (typeof part !== 'object' || part === null) return false;
    if (Array.isArray(part) && part.length > left) return true;
    return Object.values(part).some(visit);
  };
  return visit(value);
}
