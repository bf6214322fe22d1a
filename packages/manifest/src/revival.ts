import type { JsonSchema } from './json-schema.js';

/**
 * How one JSON value becomes the TypeScript value the method's signature promises, and back again. Only what JSON
 * cannot carry is described; where nothing needs reviving there is no `Revival` at all.
 *
 * Wire forms: `date` ISO 8601 string; `bigint` integer or decimal string; `bytes` base64 string (`Uint8Array`, or
 * `Buffer` where the signature says so); `url` string; `set` array; `map` object, or array of pairs when the keys
 * are not strings.
 */
export type Revival =
  | { kind: 'date' | 'bigint' | 'url' }
  | { kind: 'bytes'; buffer?: boolean }
  | { kind: 'array' | 'set'; items?: Revival }
  | { kind: 'tuple'; items: (Revival | null)[]; rest?: Revival }
  | { kind: 'map'; pairs?: boolean; keys?: Revival; values?: Revival }
  | ObjectRevival
  /** The first option whose schema accepts the JSON value decides. */
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
  /** What properties are called in the class, where that is another name than in JSON. */
  names?: Record<string, string>;
  /** Properties that class-validator sees as they are in JSON: they are revived when it has accepted them. */
  late?: string[];
}
