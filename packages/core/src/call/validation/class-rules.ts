import type { Constraint, Passes } from '@toolwright/manifest';
import type { Constructor } from '../operation/target.js';
import type { ValidationMetadata } from './bounded-regexp.js';
import { validationMetadataOf } from './class-validation.js';

/** What class-validator and class-transformer do to one property of a class. */
export interface ClassRule {
  readonly constraints: Constraint[];
  passes: Passes | undefined;
  /** The constraints hold under a condition that only a call knows. */
  isConditional: boolean;
}

/** What class-validator checks of a class, by the names of its properties. */
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

/** Types of class-validator's records. */
const CONDITIONAL = 'conditionalValidation';
const NESTED = 'nestedValidation';
const CUSTOM = 'customValidation';

function addTo(rule: ClassRule, metadata: ValidationMetadata): void {
  const { type, name } = metadata;
  if (type === CONDITIONAL) {
    if (name === 'isOptional') rule.passes = 'both';
    else rule.isConditional = true;
    return;
  }
  const constraint = constraintOf(metadata);
  if (constraint) rule.constraints.push(constraint);
}

/** What one record of class-validator checks; undefined where it is no check, or one under a condition of its own. */
export function constraintOf(metadata: ValidationMetadata): Constraint | undefined {
  const { type, name, constraints = [], each } = metadata;
  if (type === NESTED) return { name: 'validatenested', arguments: [], each: false };
  if (type !== CUSTOM || name === undefined) return undefined;
  if ('validateIf' in metadata && metadata.validateIf) return undefined;
  return { name: name.toLowerCase(), arguments: constraints, each: each === true };
}

/** The condition of a record of `@ValidateIf` or `@IsOptional`; undefined for other records. */
export function conditionOf({
  type,
  constraints: [condition] = [],
}: ValidationMetadata): ((object: object, value: unknown) => boolean) | undefined {
  return type === CONDITIONAL ? (condition as (object: object, value: unknown) => boolean) : undefined;
}

/** Whether class-transformer changes a property by code of the author's. */
export function isTransformed(Dto: Constructor, property: string): boolean {
  return storage().findTransformMetadatas(Dto, property, PLAIN_TO_CLASS).length > 0;
}

/** What a property is called in JSON. */
export function jsonNameOf(Dto: Constructor, property: string): string {
  return storage().findExposeMetadata(Dto, property)?.options?.name ?? property;
}

/** class-transformer's `TransformationType.PLAIN_TO_CLASS`. */
const PLAIN_TO_CLASS = 0;

interface TransformerStorage {
  findTransformMetadatas(target: Constructor, property: string, type: number): unknown[];
  findExposeMetadata(target: Constructor, property: string): { options?: { name?: string } } | undefined;
}

/** class-transformer keeps its records where its own index does not export them, as @nestjs/mapped-types reads them. */
function storage(): TransformerStorage {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- optional peer: loaded where a class needs it
  return (require('class-transformer/cjs/storage.js') as { defaultMetadataStorage: TransformerStorage })
    .defaultMetadataStorage;
}
