import type { MetadataStorage } from 'class-validator';
import { costOfPattern, type CostFault, type PatternCost } from '../../base/patterns/cost-of-pattern.js';
import type { StepBudget } from '../../base/patterns/step-budget.js';
import { isFree } from '../../base/patterns/step-budget.js';

/** What a decorator of class-validator has recorded. */
export type ValidationMetadata = ReturnType<MetadataStorage['getTargetValidationMetadatas']>[number];

let budget: StepBudget | undefined;

/** Runs a check whose regular expressions take their steps from a budget, as far as it runs without waiting. */
export function withinBudget<T>(steps: StepBudget, check: () => T): T {
  const outside = budget;
  budget = steps;
  try {
    return check();
  } finally {
    budget = outside;
  }
}

/** Everywhere a regular expression like any other, but within a budget it only matches what that allows. */
class BoundedRegExp extends RegExp {
  /** What is made of it, to split a text, is not bounded: nobody does that to arguments. */
  static override get [Symbol.species]() {
    return RegExp;
  }

  constructor(
    pattern: RegExp,
    private readonly cost: PatternCost | CostFault,
  ) {
    super(pattern);
  }

  override exec(text: string): RegExpExecArray | null {
    return !budget || budget.allows(this.cost, text) ? super.exec(text) : null;
  }
}

/** The regular expressions among the arguments of a validation decorator, however deep. */
export function patternsOf({ name, constraints = [] }: ValidationMetadata): RegExp[] {
  const found: RegExp[] = [];
  bound(asPatterns(name, constraints), (pattern) => {
    found.push(pattern);
    return pattern;
  });
  return found;
}

/** A decorator's record, with its regular expressions bounded where they can take longer than the text is long. */
export function boundMetadata(metadata: ValidationMetadata): ValidationMetadata {
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

/** `@Matches('^a+$', 'i')` makes its regular expression for each value. */
function asPatterns(name: string | undefined, constraints: readonly unknown[]): readonly unknown[] {
  const [pattern, flags, ...others] = constraints;
  if (name !== 'matches' || typeof pattern !== 'string') return constraints;
  try {
    return [new RegExp(pattern, typeof flags === 'string' ? flags : ''), flags, ...others];
  } catch {
    return constraints;
  }
}

/** Options nest a little, such as `{ host_whitelist: [/…/] }`. */
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
