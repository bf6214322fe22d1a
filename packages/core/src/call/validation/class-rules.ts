import { digestRules, type Constraint, type Passes, type PropertyRule } from '@toolwright/manifest';
import type { Constructor } from '../operation/target.js';
import type { ValidationMetadata } from './bounded-regexp.js';
import { isValidatorInUse, validationMetadataOf } from './class-validation.js';
import { transformerRecords } from './optional-peers.js';

/** What class-validator and class-transformer do with one property of a class. */
export interface ClassRule {
  readonly constraints: Constraint[];
  passes: Passes | undefined;
  /** Whether the constraints depend on a condition that only a call can decide. */
  isConditional: boolean;
}

/** The rules of class-validator for a class, by property name. */
export function rulesOfClass(Dto: Constructor): ReadonlyMap<string, ClassRule> {
  const rules = new Map<string, ClassRule>();
  for (const metadata of validationMetadataOf(Dto)) {
    let rule = rules.get(metadata.propertyName);
    if (!rule) {
      rule = { constraints: [], passes: undefined, isConditional: false };
      rules.set(metadata.propertyName, rule);
    }
    addTo(rule, metadata);
  }
  return rules;
}

/** `digestRules` of what class-validator knows about a class. class-validator is not loaded for that. */
export function digestOfClass(Dto: Constructor): string {
  return isValidatorInUse() ? digestRules(validationMetadataOf(Dto).map(ruleOf)) : '';
}

/** A record that is no known rule gets a name that no rule has. */
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

/** The constraint in one record of class-validator; undefined if it is no check, or is a condition itself. */
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

/** The value of class-transformer's `TransformationType.PLAIN_TO_CLASS`. */
const PLAIN_TO_CLASS = 0;
