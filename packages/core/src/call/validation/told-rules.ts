import { constrainSchema, constraintRule, type Constraint, type JsonSchema } from '@toolwright/manifest';
import type { ValidationArguments } from 'class-validator';
import { propertySchemasOf } from '../../base/metadata/property-schemas.js';
import type { Constructor } from '../operation/target.js';
import type { ValidationMetadata } from './bounded-regexp.js';
import { conditionOf, constraintOf, isTransformed } from './class-rules.js';
import { validationMetadataOf } from './class-validation.js';
import { validatorFor } from './validator.js';

/** A rule of a property for which the author wrote a message. */
export interface ToldRule {
  readonly constraint: Constraint;
  readonly message: string | ((told: ValidationArguments) => string);
  /** The schema that says the same as this rule alone. */
  readonly schema: JsonSchema;
  /** The rule refuses an object without the property. */
  readonly isDemand: boolean;
  /** A `@Transform` stands before it. */
  readonly isTransformed: boolean;
}

/** What an author wrote about the refusals of one property. */
export interface ToldProperty {
  readonly rules: readonly ToldRule[];
  /** Of `@ValidateIf` and `@IsOptional`: where one says no, class-validator checks nothing. */
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
}

const byClass = new WeakMap<Constructor, ReadonlyMap<string, ToldProperty>>();

/** The rules of a class that have a message of the author's, by the names of the properties. */
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
  // A check that nobody here knows is published by the `@Schema` beside it, or not at all.
  if (!constraintRule(constraint.name))
    return said && { constraint, message, schema: said, isDemand: false, isTransformed };
  const alone = { constraints: [{ ...constraint, each: false }] };
  const { schema, demanded } = constrainSchema({}, alone, (part) => part);
  return { constraint, message, schema, isDemand: demanded, isTransformed };
}

/** `@ValidateNested` records its own words as if an author had written them. */
function isDefault(message: ToldRule['message']): boolean {
  return (
    typeof message === 'string' &&
    message.endsWith('nested property $property must be either object or array')
  );
}

/** Keywords that refuse a value for what it is, whichever rule asked for that. */
const KINDS = new Set(['type', 'enum', 'const', 'anyOf', 'oneOf', 'format']);

/**
 * Whether a rule refuses what a keyword of the published schema refused.
 *
 * @param value of the property, or of an item of it where the rule looks at items
 */
export function isRefusedBy(rule: ToldRule, keyword: string, value: unknown): boolean {
  if (value === undefined) return rule.isDemand;
  // The schema has refused what is no date: what the rule sees is made of it.
  if (rule.constraint.name === 'isdate') return true;
  const check = validatorFor(rule.schema, 'caller');
  // The length of a text that a @Transform trims is published as a pattern.
  if (keyword === 'pattern' && rule.isTransformed && typeof value === 'string')
    return check(value.trim()) !== undefined;
  return (check(value) ?? []).some((problem) => problem.keyword === keyword || KINDS.has(keyword));
}
