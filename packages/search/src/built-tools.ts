import type { ManifestField } from '@toolwright/core/extend';
import type { SynonymTable } from './synonyms.js';

/** What the build step has left in a manifest. */
export interface BuiltTools {
  /** How many tokens each tool takes in a list (o200k), by the key of its entry. */
  readonly tokens?: Readonly<Record<string, number>>;
  readonly synonyms?: SynonymTable;
}

/** What the manifests of a server say together. */
export function builtTools(fields: readonly ManifestField[]): {
  readonly tokens: ReadonlyMap<string, number>;
  readonly synonyms: readonly SynonymTable[];
} {
  const all = fields.map(({ value }) => value as BuiltTools);
  return {
    tokens: new Map(all.flatMap(({ tokens = {} }) => Object.entries(tokens))),
    synonyms: all.flatMap(({ synonyms }) => (synonyms ? [synonyms] : [])),
  };
}
