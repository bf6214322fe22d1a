import type { JsonSchema } from '../schema/json-schema.js';

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
  | { kind: 'tuple'; items: (Revival | null)[]; rest?: Revival }
  | { kind: 'map'; pairs?: boolean; keys?: Revival; values?: Revival }
  | ObjectRevival
  /**
   * The first option whose schema accepts the JSON value is used. References in the schemas mean definitions
   * of the manifest, as in all its schemas.
   */
  | { kind: 'union'; options: { when: JsonSchema; revive?: Revival }[] }
  /** A recursive or large type: a key of `Manifest.revivals`. */
  | { kind: 'ref'; name: string };

/** A plain object, or an instance of a class. */
export interface ObjectRevival {
  kind: 'object';
  /** A key of `Manifest.classes`. */
  class?: string;
  /** By their names in JSON. */
  properties?: Record<string, Revival>;
  additional?: Revival;
  /** The names of properties in the class, where they differ from JSON. */
  names?: Record<string, string>;
  /**
   * Properties that class-validator checks in their JSON form. They are converted after it has accepted them.
   */
  late?: string[];
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

/** The same for several revivals. */
export function mapRevivals(
  revivals: Readonly<Record<string, Revival>>,
  change: (when: JsonSchema) => JsonSchema,
): Record<string, Revival> {
  return Object.fromEntries(
    Object.entries(revivals).map(([name, revival]) => [name, mapConditions(revival, change)]),
  );
}

/** The same for what an operation takes and returns. */
export function mapInputAndOutput(
  { input, output }: { readonly input?: Record<string, Revival>; readonly output?: Revival },
  change: (when: JsonSchema) => JsonSchema,
): { input?: Record<string, Revival>; output?: Revival } {
  return {
    ...(input && { input: mapRevivals(input, change) }),
    ...(output && { output: mapConditions(output, change) }),
  };
}
