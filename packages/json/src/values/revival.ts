import type { JsonSchema } from '../schema/json-schema.js';
import { getOrMake } from '../schema/once.js';

/**
 * How a JSON value becomes the TypeScript value that the signature promises, and back. It describes only what
 * JSON cannot express. If nothing needs to be converted, there is no `Revival`.
 *
 * JSON forms: `date` ISO 8601 string; `bigint` integer or decimal string; `bytes` base64 string
 * (`Uint8Array`, or `Buffer` if the signature says so); `url` string; `set` array; `map` object, or array of
 * pairs if the keys are not strings.
 */
export type Revival =
  | { kind: 'date' | 'bigint' | 'url' }
  | { kind: 'bytes'; buffer?: boolean }
  | { kind: 'array' | 'set'; items?: Revival }
  | TupleRevival
  | { kind: 'map'; pairs?: boolean; keys?: Revival; values?: Revival }
  | ObjectRevival
  /**
   * The first option whose schema accepts the JSON value is used. References in the schemas mean definitions
   * of the manifest, as in all its schemas.
   */
  | { kind: 'union'; options: { when: JsonSchema; revive?: Revival }[] }
  /** A recursive or large type: a key of `Manifest.revivals`. */
  | { kind: 'ref'; name: string };

/** Elements at fixed positions, and any number of others after them. */
interface TupleRevival {
  kind: 'tuple';
  items: (Revival | null)[];
  rest?: Revival;
  /** The elements at the end, if there are others before them: `[...Date[], string]`. */
  last?: (Revival | null)[];
}

/** A plain object, or an instance of a class. */
export interface ObjectRevival {
  kind: 'object';
  /** A key of `Manifest.classes`. */
  class?: string;
  /** By their names in JSON. */
  properties?: Record<string, Revival>;
  /** Declared properties that stay as they are, although `patterns` or `additional` would fit them. */
  plain?: string[];
  /** Properties whose names match a regular expression (with the flag u), the most specific one first. */
  patterns?: { pattern: string; revive?: Revival }[];
  /** All other properties. */
  additional?: Revival;
  /** The JSON values of properties that a caller leaves out, where no code of the class sets them. */
  defaults?: Record<string, unknown>;
  /** The names of properties in the class, where they differ from JSON. */
  names?: Record<string, string>;
  /**
   * Properties that class-validator checks in their JSON form. They are converted after it has accepted them.
   */
  late?: string[];
}

/** How a property of an object is converted. What the type says of the property itself counts before its signatures. */
export function propertyRevival(revival: ObjectRevival, name: string): Revival | undefined {
  const { properties = {}, plain, patterns, additional } = revival;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (plain?.includes(name)) return undefined;
  const matching = patterns?.find((each) => regExpOf(each).test(name));
  return matching ? matching.revive : additional;
}

type PatternRevival = NonNullable<ObjectRevival['patterns']>[number];
const regExps = new WeakMap<PatternRevival, RegExp>();

function regExpOf(each: PatternRevival): RegExp {
  return getOrMake(regExps, each, () => new RegExp(each.pattern, 'u'));
}

/** How an item of a list or a tuple is converted. In a tuple, the length decides which elements are the last. */
export function itemRevival(
  revival: Extract<Revival, { kind: 'array' | 'set' | 'tuple' }>,
  index: number,
  length: number,
): Revival | undefined {
  if (revival.kind !== 'tuple') return revival.items;
  const { items, rest, last = [] } = revival;
  if (index < items.length) return items[index] ?? undefined;
  const fromEnd = index - length + last.length;
  return fromEnd < 0 ? rest : (last[fromEnd] ?? undefined);
}

/** The revivals that a revival directly consists of. Revivals that it names are not visited. */
export function partsOfRevival(revival: Revival): Revival[] {
  const parts: (Revival | null | undefined)[] = [];
  switch (revival.kind) {
    case 'array':
    case 'set':
      parts.push(revival.items);
      break;
    case 'tuple':
      parts.push(...revival.items, revival.rest, ...(revival.last ?? []));
      break;
    case 'map':
      parts.push(revival.keys, revival.values);
      break;
    case 'object':
      parts.push(...Object.values(revival.properties ?? {}), revival.additional);
      parts.push(...(revival.patterns ?? []).map((each) => each.revive));
      break;
    case 'union':
      parts.push(...revival.options.map((each) => each.revive));
      break;
    default:
  }
  return parts.filter((part) => !!part);
}

/** A copy of a revival in which each `when` is changed. Revivals that it names are not visited. */
export function mapConditions(revival: Revival, change: (when: JsonSchema) => JsonSchema): Revival {
  const inner = (each: Revival) => mapConditions(each, change);
  switch (revival.kind) {
    case 'array':
    case 'set':
      return revival.items ? { ...revival, items: inner(revival.items) } : revival;
    case 'tuple':
      return {
        ...revival,
        items: revival.items.map((item) => item && inner(item)),
        ...(revival.rest && { rest: inner(revival.rest) }),
        ...(revival.last && { last: revival.last.map((item) => item && inner(item)) }),
      };
    case 'map':
      return {
        ...revival,
        ...(revival.keys && { keys: inner(revival.keys) }),
        ...(revival.values && { values: inner(revival.values) }),
      };
    case 'object':
      return {
        ...revival,
        ...(revival.properties && { properties: mapRevivals(revival.properties, change) }),
        ...(revival.patterns && {
          patterns: revival.patterns.map(({ pattern, revive }) => ({
            pattern,
            ...(revive && { revive: inner(revive) }),
          })),
        }),
        ...(revival.additional && { additional: inner(revival.additional) }),
      };
    case 'union':
      return {
        ...revival,
        options: revival.options.map(({ when, revive }) => ({
          when: change(when),
          ...(revive && { revive: inner(revive) }),
        })),
      };
    default:
      return revival;
  }
}

/** Does the same as `mapConditions` for several revivals. */
export function mapRevivals(
  revivals: Readonly<Record<string, Revival>>,
  change: (when: JsonSchema) => JsonSchema,
): Record<string, Revival> {
  return Object.fromEntries(
    Object.entries(revivals).map(([name, revival]) => [name, mapConditions(revival, change)]),
  );
}

/** Does the same as `mapConditions` for the input and the output of an operation. */
export function mapInputAndOutput(
  { input, output }: { readonly input?: Record<string, Revival>; readonly output?: Revival },
  change: (when: JsonSchema) => JsonSchema,
): { input?: Record<string, Revival>; output?: Revival } {
  return {
    ...(input && { input: mapRevivals(input, change) }),
    ...(output && { output: mapConditions(output, change) }),
  };
}
