import { constraintRule } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { classifyType, isLibraryType } from '../types/classify-type.js';
import type { PropertyDecorators, WrittenConstraint } from './read-property-decorators.js';
import { NO_VALUE } from '../types/members.js';

/** Types whose values are created from JSON values, and the types that class-validator sees afterwards. */
const REVIVED: Readonly<Record<string, readonly string[]>> = {
  date: [],
  bigint: [],
  url: ['object'],
  bytes: ['object'],
  set: ['object'],
  map: ['object'],
};

/** Checks that accept sets and maps as lists. */
const LIST_LIKE = new Set(['isarray', 'validatenested']);

/**
 * Whether the checks of a property are for its JSON form, as in `@IsDateString() day: Date`.
 * class-transformer converts values before the checks, so with `@Type` or `@Transform` this does not apply.
 */
export function isRevivedLate(
  property: ts.Symbol,
  { constraints, typed, transform }: PropertyDecorators,
  checker: ts.TypeChecker,
): boolean {
  if (typed || transform) return false;
  const declared = checker.getNonNullableType(checker.getTypeOfSymbol(property));
  const isList = checker.isArrayType(declared) || checker.isTupleType(declared);
  const forms = valuesOf(declared, checker).map((type) => {
    const special = classifyType(type, checker);
    return special && Object.hasOwn(REVIVED, special.kind) ? REVIVED[special.kind] : undefined;
  });
  if (!forms.some((form) => form !== undefined)) return false;
  // With `each`, class-validator checks the values of a Map. Its JSON form would be a single value.
  const isOfMap = isMap(property, checker);
  return constraints.some(({ name, each }) => {
    if (each && isOfMap) return false;
    const { on } = constraintRule(name) ?? {};
    return (
      on &&
      (each || !isList) &&
      !LIST_LIKE.has(name) &&
      forms.some((form) => form && !on.some((type) => form.includes(type)))
    );
  });
}

/** The checks that get the values of a Map, which are converted before, and accept only their JSON form. */
export function refusedByValues(
  property: ts.Symbol,
  { constraints }: PropertyDecorators,
  checker: ts.TypeChecker,
): WrittenConstraint[] {
  const special = classifyType(checker.getNonNullableType(checker.getTypeOfSymbol(property)), checker);
  const value = special?.kind === 'map' ? classifyType(special.value, checker) : undefined;
  const form = value && Object.hasOwn(REVIVED, value.kind) ? REVIVED[value.kind]! : undefined;
  if (!form) return [];
  return constraints.filter(({ name, each }) => {
    const { on } = constraintRule(name) ?? {};
    return each && on && !LIST_LIKE.has(name) && !on.some((type) => form.includes(type));
  });
}

/** Whether a property holds a Map. */
export function isMap(property: ts.Symbol, checker: ts.TypeChecker): boolean {
  const declared = checker.getNonNullableType(checker.getTypeOfSymbol(property));
  return classifyType(declared, checker)?.kind === 'map';
}

/**
 * Whether `@IsDate()` cannot be skipped, because the declared type has values that are not dates.
 * class-validator then refuses them.
 */
export function isUnlikeDate(
  property: ts.Symbol,
  { constraints }: PropertyDecorators,
  checker: ts.TypeChecker,
): boolean {
  if (!constraints.some(({ name }) => name === 'isdate')) return false;
  const values = valuesOf(checker.getTypeOfSymbol(property), checker);
  return values.length === 0 || !values.every((type) => classifyType(type, checker)?.kind === 'date');
}

/**
 * Says why class-validator does not check the values of `@ValidateNested()`. It needs instances of classes.
 * `refused`: no value is ever an instance. `unknown`: only `@Type` says which class it is.
 */
export function findNestedProblem(
  property: ts.Symbol,
  { typed }: PropertyDecorators,
  checker: ts.TypeChecker,
): 'refused' | 'unknown' | undefined {
  const values = valuesOf(checker.getTypeOfSymbol(property), checker);
  if (values.length > 0 && values.every(isOwnClass)) return undefined;
  return typed ? 'unknown' : 'refused';
}

function isOwnClass(type: ts.Type): boolean {
  const declaration = type.getSymbol()?.valueDeclaration;
  return declaration !== undefined && ts.isClassLike(declaration) && !isLibraryType(type);
}

/** The alternatives of a type and of its items, without null and undefined. */
function valuesOf(type: ts.Type, checker: ts.TypeChecker, seen = new Set<ts.Type>()): ts.Type[] {
  // A list may contain lists of its own type.
  if (seen.has(type)) return [];
  seen.add(type);
  const inner = (part: ts.Type) => valuesOf(part, checker, seen);
  const parts = type.isUnion() ? type.types : [type];
  return parts.flatMap((part) => {
    if (part.flags & NO_VALUE) return [];
    const special = classifyType(part, checker);
    if (special?.kind === 'set' && isOwnClass(special.item)) return inner(special.item);
    if (special?.kind === 'map' && isOwnClass(special.value)) return inner(special.value);
    if (!checker.isArrayType(part) && !checker.isTupleType(part)) return [part];
    return checker.getTypeArguments(part as ts.TypeReference).flatMap(inner);
  });
}
