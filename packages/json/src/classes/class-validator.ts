import { type Constraint, type PropertyRule, digestRules } from '../constraints/constraint.js';
import type { Passes } from '../constraints/constrain-schema.js';
import type { FlaggedPattern } from '../patterns/cost-of-pattern.js';
import { type Problem, tellTooLong } from '../validation/problem.js';
import { StepBudget } from '../patterns/step-budget.js';
import { pointerToken, isComposed } from '../base/json-values.js';
import { PLAIN_TO_CLASS, transformerRecords } from '../values/class-transformer.js';
import type { ValidationError, ValidatorOptions } from 'class-validator';
import type { Constructor } from './class-types.js';
import { isSensitiveProperty } from './property-marks.js';
import {
  type ValidationMetadata,
  loadClassValidator,
  memoiseMetadata,
  patternsOf,
  withinBudget,
} from './load-class-validator.js';
import { getOrMake } from '../schema/once.js';

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
function isValidatorInUse(): boolean {
  return (
    (globalThis as { classValidatorMetadataStorage?: unknown }).classValidatorMetadataStorage !== undefined
  );
}

/** All records of validation decorators of a class and its base classes. */
export function validationMetadataOf(Dto: Constructor): ValidationMetadata[] {
  validator ??= loadValidator();
  return validator.getMetadataStorage().getTargetValidationMetadatas(Dto, '', false, false);
}

/** A class, whatever its constructor takes. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- abstract and private ones, too
type ValidatedClass = Function & { readonly prototype: object };

/** All classes that have validation decorators. */
export function validatedClasses(): ValidatedClass[] {
  validator ??= loadValidator();
  const { validationMetadatas } = validator.getMetadataStorage() as unknown as {
    validationMetadatas?: ReadonlyMap<unknown, unknown>;
  };
  return [...(validationMetadatas?.keys() ?? [])].filter(
    (key) => typeof key === 'function',
  ) as ValidatedClass[];
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

/** Runs class-validator on the instances that the schema alone cannot check. */
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
    if (!isCausedByCaller(error)) throw error;
    return [{ pointer, keyword: 'validate', expected: 'values that can be checked' }];
  }
}

/** `@IsByteLength` throws a URIError for half of a character. */
const CAUSED_BY_VALUES = [TypeError, RangeError, SyntaxError, URIError];

/**
 * Whether an error comes from a check of the author that fails on an unexpected value, as `value.length` does
 * for undefined.
 */
function isCausedByCaller(error: unknown): boolean {
  return CAUSED_BY_VALUES.some((kind) => error instanceof kind);
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
      ...(property !== undefined && !isComposed(value) && { received: { value: value as unknown } }),
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

/** What class-validator and class-transformer do with one property of a class. */
interface ClassRule {
  readonly constraints: Constraint[];
  passes: Passes | undefined;
  /** Whether the constraints depend on a condition that only a call can decide. */
  isConditional: boolean;
}

/** The rules of class-validator for a class, by property name. */
export function rulesOfClass(Dto: Constructor): ReadonlyMap<string, ClassRule> {
  const rules = new Map<string, ClassRule>();
  for (const metadata of validationMetadataOf(Dto)) {
    const rule = getOrMake(rules, metadata.propertyName, () => ({
      constraints: [],
      passes: undefined,
      isConditional: false,
    }));
    addTo(rule, metadata);
  }
  return rules;
}

/** `digestRules` of what class-validator knows about a class. class-validator is not loaded for that. */
export function digestOfClass(Dto: Constructor): string {
  return isValidatorInUse() ? digestRules(validationMetadataOf(Dto).map(ruleOf)) : '';
}

/** A record of an unknown rule gets a name that no rule has. */
function ruleOf(metadata: ValidationMetadata): PropertyRule {
  const { type, name = type, propertyName: property } = metadata;
  if (name === OPTIONAL) return { property, name: 'isoptional', arguments: [], each: false };
  if (type === ALLOWED) return { property, name: 'allow', arguments: [], each: false };
  return { property, ...(constraintOf(metadata) ?? { name: `${type} ${name}`, arguments: [], each: false }) };
}

/** The types of class-validator's records. */
const CONDITIONAL = 'conditionalValidation';
const NESTED = 'nestedValidation';
const CUSTOM = 'customValidation';
/** `@IsDefined()` has a type of its own. */
const DEFINED = 'isDefined';
const ALLOWED = 'whitelistValidation';
const OPTIONAL = 'isOptional';

function addTo(rule: ClassRule, metadata: ValidationMetadata): void {
  const { type, name } = metadata;
  if (type === CONDITIONAL) {
    if (name === OPTIONAL) rule.passes = 'both';
    else rule.isConditional = true;
    return;
  }
  const constraint = constraintOf(metadata);
  if (constraint) rule.constraints.push(constraint);
}

/** The constraint in one record of class-validator; undefined if it is not a check, or is a condition itself. */
export function constraintOf(metadata: ValidationMetadata): Constraint | undefined {
  const { type, name, constraints = [], each } = metadata;
  if (type === NESTED) return { name: 'validatenested', arguments: [], each: false };
  if ((type !== CUSTOM && type !== DEFINED) || name === undefined) return undefined;
  if ('validateIf' in metadata && metadata.validateIf) return undefined;
  return { name: name.toLowerCase(), arguments: constraints, each: each === true };
}

/** The condition in a record of `@ValidateIf` or `@IsOptional`; undefined for other records. */
export function conditionOf({
  type,
  constraints: [condition] = [],
}: ValidationMetadata): ((object: object, value: unknown) => boolean) | undefined {
  return type === CONDITIONAL ? (condition as (object: object, value: unknown) => boolean) : undefined;
}

/** Whether class-transformer changes a property with code of the author. */
export function isTransformed(Dto: Constructor, property: string): boolean {
  return transformerRecords().findTransformMetadatas(Dto, property, PLAIN_TO_CLASS).length > 0;
}

/** The name of a property in JSON. */
export function jsonNameOf(Dto: Constructor, property: string): string {
  return transformerRecords().findExposeMetadata(Dto, property)?.options?.name ?? property;
}

/** An instance that class-validator still has to check, and its place. */
interface Unchecked {
  readonly instance: object;
  readonly pointer: string;
}

/** The work that is left for the values of one call after they were revived. */
export class PendingChecks {
  readonly unchecked: Unchecked[] = [];
  /**
   * Instances at places where the type declares their class, with the names of their properties in JSON if
   * these differ. The closed schema has already refused all properties that the type does not declare.
   */
  readonly declared = new Map<object, Readonly<Record<string, string>> | undefined>();
  /** Functions that convert JSON values after class-validator has checked them in their JSON form. */
  readonly later: (() => void)[] = [];

  /**
   * Finishes the conversion, if nothing was wrong.
   *
   * @throws {UnrevivableError} for a value that cannot be converted
   */
  finish(): void {
    for (const revive of this.later) revive();
  }
}
