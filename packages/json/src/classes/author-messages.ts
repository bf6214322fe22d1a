import type { Constraint } from '../constraints/constraint.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { type ObjectRevival, type Revival, itemRevival, propertyRevival } from '../values/revival.js';
import { constrainSchema } from '../constraints/constrain-schema.js';
import { constraintRule } from '../constraints/constraint-table.js';
import { eachOnce, type Problem } from '../validation/problem.js';
import type { SensitiveParts } from '../schema/sensitive-parts.js';
import { isScalar, memberAt, pointerTokens } from '../base/json-values.js';
import { validatorFor } from '../validation/validator.js';
import type { ValidationArguments } from 'class-validator';
import type { Constructor, TypeTable } from './class-types.js';
import { propertySchemasOf } from './property-marks.js';
import type { ValidationMetadata } from './load-class-validator.js';
import { conditionOf, constraintOf, isTransformed, validationMetadataOf } from './class-validator.js';
import { getOrMake } from '../schema/once.js';

/** Finds the class, and so the messages, for a place in the arguments. */
interface MessageSource {
  /** The revival of the whole arguments. */
  readonly revival: Revival;
  readonly types: TypeTable;
  /** The places whose values messages must not repeat. */
  readonly sensitive: SensitiveParts | undefined;
}

/** The place of a problem in the instance of a class. */
interface Place {
  readonly Dto: Constructor;
  readonly property: string;
  readonly value: unknown;
  /** The JSON of the instance, with the property names of the class. */
  readonly holder: object;
  /** The rest of the pointer below the property. */
  readonly below: readonly string[];
}

/**
 * Replaces the schema's messages by the messages that authors wrote in their decorators, such as the `message` of
 * `@MinLength(8, …)`. This is needed because the schema refuses a value before class-validator sees it.
 */
export function inAuthorWords(
  problems: readonly Problem[],
  value: unknown,
  by: MessageSource,
): readonly Problem[] {
  return eachOnce(problems.flatMap((problem) => inWords(problem, findPlace(problem.pointer, value, by), by)));
}

function inWords(problem: Problem, place: Place | undefined, { sensitive }: MessageSource): Problem[] {
  if (!place) return [problem];
  try {
    const mayShow = sensitive?.covers(problem.pointer) ? isFixed : () => true;
    const messages = refusing(problem, place)
      .filter(mayShow)
      .map((rule) => textOf(rule, place));
    const texts = messages.filter((text) => text !== '');
    return texts.length > 0
      ? texts.map((expected) => ({ ...problem, expected, isSentence: true }))
      : [problem];
  } catch {
    // A condition or a message is code of the author, and may fail on a value that the schema refused.
    return [problem];
  }
}

/** The rules with messages that refuse what the schema refused. */
function refusing(
  { keyword }: Problem,
  { Dto, property, value, holder, below }: Place,
): readonly AuthorRule[] {
  const authored = authorRulesOf(Dto).get(property);
  if (!authored || below.length > 1 || !authored.conditions.every((holds) => holds(holder, value))) return [];
  const [index] = below;
  return authored.rules.filter((rule) => {
    if (index !== undefined)
      return rule.constraint.each && isRefusedBy(rule, keyword, memberAt(value, [index]));
    return rule.constraint.each ? !Array.isArray(value) : isRefusedBy(rule, keyword, value);
  });
}

/** Whether the message repeats nothing of the value. */
function isFixed({ message }: AuthorRule): boolean {
  return typeof message === 'string' && !message.includes('$value');
}

/** Fills in the placeholders of class-validator: `$constraint1`, `$value`, `$property`, `$target`. */
function textOf({ message, constraint }: AuthorRule, { Dto, property, value, holder }: Place): string {
  const constraints = [...constraint.arguments] as unknown[];
  const context: ValidationArguments = { value, property, constraints, object: holder, targetName: Dto.name };
  const text = typeof message === 'function' ? message(context) : message;
  return text
    .replace(/\$constraint(\d+)/g, (place, number: string) => {
      const index = Number(number) - 1;
      return index in constraints ? wordOf(constraints[index]) : place;
    })
    .replace(/\$value/g, (place) => (isScalar(value) ? String(value) : place))
    .replace(/\$property/g, () => property)
    .replace(/\$target/g, () => Dto.name);
}

function wordOf(constraint: unknown): string {
  return Array.isArray(constraint) ? constraint.join(', ') : String(constraint);
}

function findPlace(pointer: string, root: unknown, { revival, types }: MessageSource): Place | undefined {
  const tokens = pointerTokens(pointer);
  let place: Place | undefined;
  let at: Revival | undefined = revival;
  let part = root;
  for (const [index, token] of tokens.entries()) {
    const here: Revival | undefined = at ? resolve(at, types) : undefined;
    if (!here || typeof part !== 'object' || part === null) break;
    const value = memberAt(part, [token]);
    const Dto = here.kind === 'object' ? classOf(here, types) : undefined;
    if (Dto) {
      const { names = {} } = here as ObjectRevival;
      const holder = byClassNames(part, names);
      place = { Dto, property: names[token] ?? token, value, holder, below: tokens.slice(index + 1) };
    }
    at = inside(here, token, part);
    part = value;
  }
  return place;
}

/** A class that cannot be loaded is reported when a value is created from it. */
function classOf({ class: key }: ObjectRevival, types: TypeTable): Constructor | undefined {
  if (key === undefined) return undefined;
  try {
    return types.dto(key)?.constructor;
  } catch {
    return undefined;
  }
}

function byClassNames(json: object, names: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [names[name] ?? name, value as unknown]),
  );
}

/** Follows references. In a union, the class is known if only one alternative is an object. */
function resolve(revival: Revival, types: TypeTable): Revival | undefined {
  if (revival.kind === 'ref') {
    const named = types.revival(revival.name);
    return named && resolve(named, types);
  }
  if (revival.kind !== 'union') return revival;
  const options = revival.options.flatMap(({ revive }) => revive ?? []);
  return options.length === 1 ? resolve(options[0]!, types) : undefined;
}

function inside(revival: Revival, token: string, value: object): Revival | undefined {
  switch (revival.kind) {
    case 'object':
      return propertyRevival(revival, token);
    case 'array':
    case 'set':
    case 'tuple':
      return itemRevival(revival, Number(token), Array.isArray(value) ? value.length : 0);
    case 'map':
      return revival.values;
    default:
      return undefined;
  }
}

/** A rule of a property with a message of the author. */
interface AuthorRule {
  readonly constraint: Constraint;
  readonly message: string | ((context: ValidationArguments) => string);
  /** The schema that expresses only this rule. */
  readonly schema: JsonSchema;
  /** Whether the rule refuses an object without the property. */
  readonly isDemand: boolean;
  /** Whether a `@Transform` runs before it. */
  readonly isTransformed: boolean;
}

/** The author's messages for one property. */
interface AuthoredProperty {
  readonly rules: readonly AuthorRule[];
  /** The conditions of `@ValidateIf` and `@IsOptional`. If one is false, class-validator checks nothing. */
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
}

const byClass = new WeakMap<Constructor, ReadonlyMap<string, AuthoredProperty>>();

/** The rules of a class with messages of the author, by property name. */
function authorRulesOf(Dto: Constructor): ReadonlyMap<string, AuthoredProperty> {
  return getOrMake(byClass, Dto, () => readRules(Dto));
}

function readRules(Dto: Constructor): ReadonlyMap<string, AuthoredProperty> {
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
): AuthorRule | undefined {
  const constraint = constraintOf(record);
  const message = record.message as AuthorRule['message'] | undefined;
  if (!constraint || !message || isDefault(message)) return undefined;
  // A check that is unknown here is published by the `@Schema` beside it, or not at all.
  if (!constraintRule(constraint.name))
    return said && { constraint, message, schema: said, isDemand: false, isTransformed };
  const alone = { constraints: [{ ...constraint, each: false }] };
  const { schema, demanded } = constrainSchema({}, alone, (part) => part);
  return { constraint, message, schema, isDemand: demanded, isTransformed };
}

/** `@ValidateNested` records its default message as if the author had written it. */
function isDefault(message: AuthorRule['message']): boolean {
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
function isRefusedBy(rule: AuthorRule, keyword: string, value: unknown): boolean {
  if (value === undefined) return rule.isDemand;
  // The schema has refused a text that is not a date. The rule would see the Date that is created from it.
  if (rule.constraint.name === 'isdate') return true;
  const check = validatorFor(rule.schema, 'caller');
  // If a @Transform trims a text, its length is published as a pattern.
  if (keyword === 'pattern' && rule.isTransformed && typeof value === 'string')
    return check(value.trim()) !== undefined;
  return (check(value) ?? []).some((problem) => problem.keyword === keyword || KINDS.has(keyword));
}
