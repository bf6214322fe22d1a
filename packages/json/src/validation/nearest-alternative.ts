import type { JsonSchema } from '../schema/json-schema.js';
import { pointerToken } from '../base/json-values.js';
import type { FailedKeyword } from './validation-run.js';

/** The errors of one alternative. */
type Branch = readonly FailedKeyword[];

export const isUnion = ({ keyword }: FailedKeyword): boolean => keyword === 'anyOf' || keyword === 'oneOf';

/**
 * What to say about a failed union: the errors of the alternative that the value was most likely meant to be.
 * Undefined if the value is of another kind than all alternatives, and the union itself says this best.
 */
export function nearestErrors(branches: readonly Branch[], union: FailedKeyword): Branch | undefined {
  const at = union.instancePath;
  const similar = branches.filter((branch) => !branch.some((error) => isOtherKind(error, at)));
  if (similar.length === 0) return otherKinds(branches, union);
  const meant = withoutOtherTags(similar, at);
  const distances = meant.map((branch) => distance(branch, at));
  const shortest = distances.reduce((a, b) => (compare(b, a) < 0 ? b : a));
  const [nearest, ...equals] = meant.filter((_, index) => compare(distances[index]!, shortest) === 0);
  const sameNames = meant.filter((_, index) => distances[index]![0] === shortest[0]);
  return (
    tagErrors(nearest!, at, { wrong: meant, missing: sameNames }) ??
    nearest!.map((error) => (isUnknown(error, at) ? withNamesOf(equals, error) : error))
  );
}

/** Whether the value is not of the kind of this alternative: a text and not an object, for example. */
function isOtherKind(error: FailedKeyword, at: string): boolean {
  const { keyword, instancePath, params } = error;
  if (instancePath !== at) return false;
  if (isUnion(error)) return !(params as { passingSchemas?: unknown }).passingSchemas;
  return keyword === 'type' || isFixed(error);
}

/** References hide the types of alternatives from the union, but not from its errors. */
function otherKinds(branches: readonly Branch[], union: FailedKeyword): Branch | undefined {
  const schema = union.parentSchema as JsonSchema | undefined;
  const alternatives = (schema?.[union.keyword] ?? []) as JsonSchema[];
  const known = ({ type, const: value, enum: values }: JsonSchema) => type ?? values ?? value !== undefined;
  const kinds = branches.map((branch) =>
    branch.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === union.instancePath),
  );
  if (alternatives.every(known) || kinds.length === 0 || kinds.includes(undefined)) return undefined;
  const types = kinds.flatMap((error) => (error!.params as { type: string | string[] }).type);
  return [{ ...union, keyword: 'type', params: { type: [...new Set(types)] } }];
}

const isFixed = ({ keyword }: FailedKeyword): boolean => keyword === 'const' || keyword === 'enum';

/** A property that must have one of a few values, such as `kind: 'circle'`, tells alternatives apart. */
const isWrongTag = (error: FailedKeyword, at: string): boolean =>
  isFixed(error) && depthBelow(error.instancePath, at) === 1;

/** Removes the alternatives with another value of a tag, if an alternative takes the value that came. */
function withoutOtherTags(branches: readonly Branch[], at: string): readonly Branch[] {
  const refusing = new Map<string, number>();
  for (const branch of branches) {
    for (const pointer of new Set(branch.map(pointerOf)))
      refusing.set(pointer, (refusing.get(pointer) ?? 0) + 1);
  }
  const meant = branches.filter(
    (branch) =>
      !branch.some((error) => isWrongTag(error, at) && refusing.get(error.instancePath)! < branches.length),
  );
  return meant.length > 0 ? meant : branches;
}

/** The value that the error is about. */
function pointerOf(error: FailedKeyword): string {
  const { missingProperty } = error.params as { missingProperty?: string };
  const name = missingProperty ?? unknownName(error);
  return name === undefined ? error.instancePath : `${error.instancePath}/${pointerToken(name)}`;
}

function unknownName({ params }: FailedKeyword): string | undefined {
  const { additionalProperty, unevaluatedProperty } = params as Record<string, string | undefined>;
  return additionalProperty ?? unevaluatedProperty;
}

const isUnknown = (error: FailedKeyword, at: string): boolean =>
  error.instancePath === at && unknownName(error) !== undefined;

type Distance = readonly number[];

/**
 * How far a value is from an alternative. The names of its properties say best what it was meant to be, then
 * what is wrong with the properties as a whole. What is wrong further inside says little.
 */
function distance(branch: Branch, at: string): Distance {
  const here = branch.filter(({ instancePath }) => instancePath === at);
  const members = branch.filter((error) => depthBelow(error.instancePath, at) === 1);
  const ofOtherKind = members.filter((error) => isOtherKind(error, error.instancePath));
  const unknown = here.filter((error) => isUnknown(error, at));
  return [unknown.length, here.length + ofOtherKind.length, branch.length];
}

function compare(a: Distance, b: Distance): number {
  const index = a.findIndex((part, place) => part !== b[place]);
  return index < 0 ? 0 : a[index]! - b[index]!;
}

function depthBelow(pointer: string, at: string): number {
  return pointer.slice(at.length).split('/').length - 1;
}

/** If no alternative takes the value of a tag, or a tag is missing, says only which values there are. */
function tagErrors(
  nearest: Branch,
  at: string,
  others: { readonly wrong: readonly Branch[]; readonly missing: readonly Branch[] },
): Branch | undefined {
  const own = nearest.filter((error) => isWrongTag(error, at) || isMissingTag(error, at));
  const tags = own.map((tag) => {
    const branches = isFixed(tag) ? others.wrong : others.missing;
    const same = branches.flatMap((branch) => branch.filter((error) => pointerOf(error) === pointerOf(tag)));
    return withValues(tag, [...new Set(same.flatMap(tagValues))]);
  });
  return tags.some((tag, index) => tagValues(tag).length > tagValues(own[index]!).length) ? tags : undefined;
}

const isMissingTag = (error: FailedKeyword, at: string): boolean =>
  error.keyword === 'required' && error.instancePath === at && tagValues(error).length > 0;

function tagValues({ keyword, params, parentSchema }: FailedKeyword): readonly unknown[] {
  const { missingProperty } = params as { missingProperty?: string };
  const properties = (parentSchema as JsonSchema | undefined)?.properties;
  if (keyword === 'required') return valuesOf(properties?.[missingProperty!]);
  const { allowedValues, allowedValue } = params as { allowedValues?: unknown[]; allowedValue?: unknown };
  return isFixed({ keyword } as FailedKeyword) ? (allowedValues ?? [allowedValue]) : [];
}

function valuesOf(schema: JsonSchema | undefined): readonly unknown[] {
  if (schema?.const !== undefined) return [schema.const];
  return schema?.enum ?? [];
}

function withValues(tag: FailedKeyword, values: unknown[]): FailedKeyword {
  if (isFixed(tag)) return { ...tag, keyword: 'enum', params: { allowedValues: values } };
  const { missingProperty } = tag.params as { missingProperty: string };
  return { ...tag, parentSchema: { properties: { [missingProperty]: { enum: values } } } };
}

/** No alternative knows the name: says which names there are. */
function withNamesOf(branches: readonly Branch[], unknown: FailedKeyword): FailedKeyword {
  const same = branches.flatMap(
    (branch) => branch.find((error) => pointerOf(error) === pointerOf(unknown)) ?? [],
  );
  const schemas = [unknown, ...same].map(({ parentSchema }) => (parentSchema ?? {}) as JsonSchema);
  const properties = Object.assign(
    {},
    ...schemas.map((schema) => schema.properties),
  ) as JsonSchema['properties'];
  return { ...unknown, parentSchema: { properties } };
}
