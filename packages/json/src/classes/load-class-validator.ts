import { type CostProblem, type PatternCost, costOfPattern } from '../patterns/cost-of-pattern.js';
import { type StepBudget, isFree } from '../patterns/step-budget.js';
import type { MetadataStorage } from 'class-validator';
import { getOrMake } from '../schema/once.js';

type ClassValidator = typeof import('class-validator');

/**
 * An application may lack this library. It is loaded at first need, because that takes 75 ms. The `require` is
 * directly in a `try`, so that bundlers know that the package may be missing: see `loadClassTransformer`.
 */
let validator: ClassValidator | undefined;

/** @throws {Error} if the application does not have it */
export function loadClassValidator(): ClassValidator {
  if (validator) return validator;
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- an optional peer
    return (validator = require('class-validator') as ClassValidator);
  } catch (error) {
    throw new Error('A class of this server needs class-validator, which cannot be loaded: install it.', {
      cause: error,
    });
  }
}

type Lookup = MetadataStorage['getTargetValidationMetadatas'];
const memoised = new WeakSet<object>();

/**
 * Makes class-validator remember the constraints of each class. Without this, it searches all its records for
 * every object: we measured 15 µs with a few DTO classes, and 508 µs with 5,000. When a constraint is added,
 * everything is forgotten. The regular expressions in the remembered records have a budget, for checks that
 * use one.
 */
export function memoiseMetadata(storage: MetadataStorage): void {
  if (memoised.has(storage)) return;
  memoised.add(storage);
  let known = new WeakMap<object, Map<string, ReturnType<Lookup>>>();
  const lookup = storage.getTargetValidationMetadatas.bind(storage);
  const add = storage.addValidationMetadata.bind(storage);

  storage.addValidationMetadata = (metadata) => {
    known = new WeakMap();
    add(metadata);
  };
  storage.getTargetValidationMetadatas = (target, schema, ...rest) => {
    const key = JSON.stringify([schema, ...rest]);
    const ofClass = getOrMake(known, target, () => new Map());
    return getOrMake(ofClass, key, () => lookup(target, schema, ...rest).map(boundMetadata));
  };
}

/** The record of a class-validator decorator. */
export type ValidationMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

let budget: StepBudget | undefined;

/**
 * Runs a check whose regular expressions take their steps from a budget. The budget ends when the check first
 * waits.
 */
export function withinBudget<T>(steps: StepBudget, check: () => T): T {
  const outside = budget;
  budget = steps;
  try {
    return check();
  } finally {
    budget = outside;
  }
}

/**
 * Outside a budget it works like any regular expression. Within a budget it matches only if the budget is
 * sufficient.
 */
class BoundedRegExp extends RegExp {
  /** A copy of it, which splitting a text would create, has no budget. Nobody splits arguments with it. */
  static override get [Symbol.species]() {
    return RegExp;
  }

  constructor(
    pattern: RegExp,
    private readonly cost: PatternCost | CostProblem,
  ) {
    super(pattern);
  }

  override exec(text: string): RegExpExecArray | null {
    return !budget || budget.allows(this.cost, text) ? super.exec(text) : null;
  }
}

/** The regular expressions in the arguments of a validation decorator, at any depth. */
export function patternsOf({ name, constraints = [] }: ValidationMetadata): RegExp[] {
  const found: RegExp[] = [];
  bound(asPatterns(name, constraints), (pattern) => {
    found.push(pattern);
    return pattern;
  });
  return found;
}

/** A decorator's record, where regular expressions have a budget if they can take more than linear time. */
function boundMetadata(metadata: ValidationMetadata): ValidationMetadata {
  let isBounded = false;
  const constraints = bound(asPatterns(metadata.name, metadata.constraints ?? []), (pattern) => {
    const cost = costOfPattern(pattern.source, pattern.flags);
    if (isFree(cost)) return pattern;
    isBounded = true;
    return new BoundedRegExp(pattern, cost);
  });
  return isBounded
    ? (Object.assign(Object.create(Object.getPrototypeOf(metadata) as object), metadata, {
        constraints,
      }) as ValidationMetadata)
    : metadata;
}

/** `@Matches('^a+$', 'i')` creates its regular expression for each value. */
function asPatterns(name: string | undefined, constraints: readonly unknown[]): readonly unknown[] {
  const [pattern, flags, ...others] = constraints;
  if (name !== 'matches' || typeof pattern !== 'string') return constraints;
  try {
    return [new RegExp(pattern, typeof flags === 'string' ? flags : ''), flags, ...others];
  } catch {
    return constraints;
  }
}

/** Options are nested, but not deeply: `{ host_whitelist: [/…/] }`. */
const MAX_DEPTH = 4;

function bound<T>(value: T, change: (pattern: RegExp) => RegExp, depth = 0): T {
  if (value instanceof RegExp) return change(value) as T;
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => bound(item as unknown, change, depth + 1)) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    bound(item as unknown, change, depth + 1),
  ]);
  return Object.fromEntries(entries) as T;
}
