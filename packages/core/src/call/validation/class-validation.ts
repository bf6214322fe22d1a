import { pointerToken } from '../../base/json-pointer.js';
import type { ValidationError, ValidatorOptions } from 'class-validator';
import { isSensitiveProperty } from '../../base/metadata/sensitive-properties.js';
import type { AnyClass } from '../../base/metadata/store.js';
import type { Constructor } from '../operation/target.js';
import { StepBudget } from '../../base/patterns/step-budget.js';
import type { FlaggedPattern } from '../../base/schema/find-pattern-faults.js';
import { patternsOf, withinBudget, type ValidationMetadata } from './bounded-regexp.js';
import { memoiseMetadata } from './memoise-metadata.js';
import { loadClassValidator } from './optional-peers.js';
import type { PendingChecks, Unchecked } from './pending-checks.js';
import { tellTooLong, type Problem } from './problem.js';

let validator: typeof import('class-validator') | undefined;

function loadValidator(): typeof import('class-validator') {
  const loaded = loadClassValidator();
  memoiseMetadata(loaded.getMetadataStorage());
  return loaded;
}

/**
 * Whether any class has validation decorators. They have then loaded class-validator, whose storage is global
 * because several copies of it may be installed.
 */
export function isValidatorInUse(): boolean {
  return (
    (globalThis as { classValidatorMetadataStorage?: unknown }).classValidatorMetadataStorage !== undefined
  );
}

/** All records of validation decorators of a class and its base classes. */
export function validationMetadataOf(Dto: Constructor): ValidationMetadata[] {
  validator ??= loadValidator();
  return validator.getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false);
}

/** All classes that have validation decorators. */
export function validatedClasses(): AnyClass[] {
  validator ??= loadValidator();
  const { validationMetadatas } = validator.getMetadataStorage() as unknown as {
    validationMetadatas?: ReadonlyMap<unknown, unknown>;
  };
  return [...(validationMetadatas?.keys() ?? [])].filter((key) => typeof key === 'function') as AnyClass[];
}

/** The regular expressions that class-validator uses for the properties of a class. */
export function patternsOfClass(Dto: Constructor): FlaggedPattern[] {
  return validationMetadataOf(Dto).flatMap(patternsOf);
}

/**
 * Unknown properties are refused. `leaveOut` then removes the errors for properties that the type declares
 * without a decorator.
 */
const STRICT: ValidatorOptions = { whitelist: true, forbidNonWhitelisted: true };

/** Runs class-validator for the instances that the schema alone cannot judge. */
export async function validateInstances({ unchecked, declared }: PendingChecks): Promise<Problem[]> {
  validator ??= loadValidator();
  const steps = new StepBudget();
  const problems: Problem[] = [];
  for (const each of unchecked) {
    const found = await validateOne(each, declared, steps);
    problems.push(...found.filter((problem) => !problems.some((other) => isSame(problem, other))));
  }
  return steps.isExhausted ? problems.map(tellTooLong) : problems;
}

async function validateOne(
  { instance, pointer }: Unchecked,
  declared: PendingChecks['declared'],
  steps: StepBudget,
): Promise<Problem[]> {
  try {
    const errors = await withinBudget(steps, () => validator!.validate(instance, STRICT));
    return errors.flatMap((error) => problemsOf(error, pointer, declared));
  } catch (error) {
    if (!isCallersFault(error)) throw error;
    return [{ pointer, keyword: 'validate', expected: 'values that can be checked' }];
  }
}

/**
 * Whether an error comes from a check of the author that fails on an unexpected value, as `value.length` does
 * for undefined.
 */
function isCallersFault(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/**
 * A nested instance is checked with its parent. It is also checked on its own if its class was created for
 * its type.
 */
function isSame(one: Problem, other: Problem): boolean {
  return one.pointer === other.pointer && one.expected === other.expected;
}

function problemsOf(error: ValidationError, parent: string, declared: PendingChecks['declared']): Problem[] {
  const { children = [], value, target } = error;
  const property = error.property as string | undefined;
  const sensitive = target !== undefined && property !== undefined && isSensitiveProperty(target, property);
  const pointer =
    property === undefined ? parent : `${parent}/${pointerToken(nameOf(property, target, declared))}`;
  const own = Object.entries(error.constraints ?? {})
    .filter(([keyword]) => !(allowed.has(keyword) && target !== undefined && declared.has(target)))
    .map(([keyword, message]) => ({
      pointer,
      keyword,
      ...describe(keyword, message),
      ...(property !== undefined && isPlain(value) && { received: { value: value as unknown } }),
      ...(sensitive && { sensitive }),
    }));
  const inside = children.flatMap((child) => problemsOf(child, pointer, declared));
  return [...own, ...(sensitive ? inside.map((problem) => ({ ...problem, sensitive })) : inside)];
}

/** Errors of class-validator about missing decorators. They do not count if the type declares the property. */
const allowed = new Set(['whitelistValidation', 'unknownValue']);

function describe(keyword: string, message: string): Pick<Problem, 'expected' | 'isSentence'> {
  if (keyword === 'whitelistValidation') return { expected: 'no such argument' };
  if (keyword === 'unknownValue') return { expected: 'a value whose class has rules' };
  return message
    ? { expected: message, isSentence: true }
    : { expected: `a value that passes the check "${keyword}"` };
}

/** The name in JSON. */
function nameOf(property: string, target: object | undefined, declared: PendingChecks['declared']): string {
  return (target && declared.get(target)?.[property]) ?? property;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
