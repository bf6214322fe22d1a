import type { JsonSchema } from '@toolwright/manifest';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type Ajv from 'ajv';
import { problemsOf, type Problem } from './problem.js';

/** The problems of a value, or undefined when it fits. */
export type Validator = (value: unknown) => readonly Problem[] | undefined;

type AjvErrors = readonly ErrorObject[];

/** Beyond so many values, collecting all errors would cost an attacker little and the server much. */
const explainable = 5_000;

/** The first error ends a check, so that `maxLength` keeps a long text from the pattern beside it; an explanation runs both. */
const explainableText = 1_000;

const validators = new WeakMap<object, Validator>();

/** The validator of a schema; Ajv is loaded and the schema compiled when it is first used. */
export function validatorFor(schema: JsonSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const check = lazily(() => compile(schema, 'check'));
  const explain = lazily(() => compile(schema, 'explain'));
  const validator: Validator = (value) => {
    if (check()(value)) return undefined;
    const chosen = isLarge(value) ? check() : explain();
    chosen(value);
    return problemsOf((chosen.errors ?? []) as AjvErrors, value);
  };
  validators.set(schema, validator);
  return validator;
}

/** Whether a value fits a schema, where nobody needs to know why not. */
export function accepts(schema: JsonSchema): (value: unknown) => boolean {
  const check = lazily(() => compile(schema, 'check'));
  return (value) => check()(value) as boolean;
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

type Purpose = 'check' | 'explain';
const instances = new Map<string, Ajv>();

function compile(schema: JsonSchema, purpose: Purpose): ValidateFunction {
  const dialect = String(schema.$schema ?? '').includes('draft-07') ? 'draft-07' : '2020-12';
  const key = `${dialect} ${purpose}`;
  let ajv = instances.get(key);
  if (!ajv) instances.set(key, (ajv = create(dialect, purpose)));
  try {
    return ajv.compile(schema);
  } finally {
    // Compiled functions stand alone. The instance would keep every schema it ever saw, also those of removed tools.
    ajv.removeSchema(schema);
    if (typeof schema.$id === 'string') ajv.removeSchema(schema.$id);
  }
}

/** Loading Ajv costs some 50 ms: not at boot, and never for a server whose tools are not called. */
function create(dialect: string, purpose: Purpose): Ajv {
  /* eslint-disable @typescript-eslint/no-require-imports -- synchronous and at first need: see above */
  const { default: Dialect } =
    dialect === 'draft-07'
      ? (require('ajv') as typeof import('ajv'))
      : (require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js'));
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats');
  /* eslint-enable @typescript-eslint/no-require-imports */
  const explain = purpose === 'explain';
  const ajv: Ajv = new Dialect({
    strict: false,
    logger: false,
    // Schemas come from the compiler or were checked at boot.
    validateSchema: false,
    meta: false,
    // "constructor" in an empty object is not a required property that is there.
    ownProperties: true,
    allErrors: explain,
    verbose: explain,
  });
  addFormats(ajv as never);
  return ajv;
}

function isLarge(value: unknown): boolean {
  let left = explainable;
  const visit = (part: unknown): boolean => {
    if (--left < 0) return true;
    if (typeof part === 'string') return part.length > explainableText;
    if (typeof part !== 'object' || part === null) return false;
    return Object.values(part).some(visit);
  };
  return visit(value);
}
