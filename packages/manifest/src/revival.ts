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
  /** A plain object, or an instance of a class: `class` is a key of `Manifest.classes`. */
  | { kind: 'object'; class?: string; properties?: Record<string, Revival>; additional?: Revival }
  /** The first option whose schema accepts the JSON value decides. */
  | { kind: 'union'; options: { when: JsonSchema; revive?: Revival }[] }
  /** A recursive or large type: a key of `Manifest.revivals`. */
  | { kind: 'ref'; name: string };
