import { constrainSchema, constraintRule, type Constraint, type JsonSchema } from '@toolwright/manifest';
import type { ValidationArguments } from 'class-validator';
import { propertySchemasOf } from '../../base/metadata/properties.js';
import type { Constructor } from '../operation/draft.js';
import type { ValidationMetadata } from './bounded-regexp.js';
import { conditionOf, constraintOf, isTransformed, validationMetadataOf } from '../values/class-validator.js';
import { validatorFor } from './validator.js';

/** A rule of a property with a message of the author. */
export interface ToldRule {
  readonly constraint: Constraint;
  readonly message: string | ((told: ValidationArguments) => string);
  /** The schema that expresses only this rule. */
  readonly schema: JsonSchema;
  /** Whether the rule refuses an object without the property. */
  readonly isDemand: boolean;
  /** Whether a `@Transform` runs before it. */
  readonly isTransformed: boolean;
}

/** The author's messages for one property. */
export interface ToldProperty {
  readonly rules: readonly ToldRule[];
  /** The conditions of `@ValidateIf` and `@IsOptional`. If one is false, class-validator checks nothing. */
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
}

const byClass = new WeakMap<Constructor, ReadonlyMap<string, ToldProperty>>();

/** The rules of a class with messages of the author, by property name. */
export function toldRulesOf(Dto: Constructor): ReadonlyMap<string, ToldProperty> {
  let told = byClass.get(Dto);
  if (!told) byClass.set(Dto, (told = readRules(Dto)));
  return told;
}

function readRules(Dto: Constructor): ReadonlyMap<string, ToldProperty> {
  const records = validationMetadataOf(Dto);
  const said = propertySchemasOf(Dto.prototype as object);
  const names = new Set(records.filter(({ message }) => message).map(({ propertyName }) => propertyName));
  return new Map(
    [...names].map((name) => {
      const own = records.filter(({ propertyName }) => propertyName === name);
      const conditions = own.flatMap((record) => conditionOf(record) ?? []);
      const known = { said: said.get(name), isTransformed: isTransformed(Dto, name) };
      return [name, { conditions, rules: own.flatMap((record) => ruleOf(record, known) ?? []) }];
    }),
  );
}

function ruleOf(
  record: ValidationMetadata,
  { said, isTransformed }: { said: JsonSchema | undefined; isTransformed: boolean },
): ToldRule | undefined {
  const constraint = constraintOf(record);
  const message = record.message as ToldRule['message'] | undefined;
  if (!constraint || !message || isDefault(message)) return undefined;
  // A check that is unknown here is published by the `@Schema` beside it, or not at all.
  if (!constraintRule(constraint.name))
    return said && { constraint, message, schema: said, isDemand: false, isTransformed };
  const alone = { constraints: [{ ...constraint, each: false }] };
  const { schema, demanded } = constrainSchema({}, alone, (part) => part);
  return { constraint, message, schema, isDemand: demanded, isTransformed };
}

/** `@ValidateNested` records its default message as if the author had written it. */
function isDefault(message: ToldRule['message']): boolean {
  return (
    typeof message === 'string' &&
    message.endsWith('nested property $property must be either object or array')
  );
}

/** Keywords that refuse a value because of its kind, whichever rule they come from. */
const KINDS = new Set(['type', 'enum', 'const', 'anyOf', 'oneOf', 'format']);

/**
 * Whether a rule refuses what a keyword of the published schema refused.
 *
 * @param value the value of the property, or of an item if the rule checks items
 */
export function isRefusedBy(rule: ToldRule, keyword: string, value: unknown): boolean {
  if (value === undefined) return rule.isDemand;
  // The schema has refused a text that is no date. The rule would see the Date that is created from it.
  if (rule.constraint.name === 'isdate') return true;
  const check = validatorFor(rule.schema, 'caller');
  // If a @Transform trims a text, its length is published as a pattern.
  if (keyword === 'pattern' && rule.isTransformed && typeof value === 'string')
    return check(value.trim()) !== undefined;
  return (check(value) ?? []).some((problem) => problem.keyword === keyword || KINDS.has(keyword));
}
