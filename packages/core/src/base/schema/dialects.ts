/** The differences between a draft of JSON Schema and 2020-12 that matter here. */
export interface Dialect {
  /** Whether keywords beside a `$ref` are ignored, except descriptions. */
  readonly ignoresSiblings: boolean;
}

const LATEST = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const D2019 = /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/;
const OLDER = /^https?:\/\/json-schema\.org\/draft-0[467]\/schema#?$/;

/** True for 2020-12, which the specification requires. */
export const isLatestDialect = (uri: string) => LATEST.test(uri);

/** The draft that a `$schema` names, if it can be rewritten in 2020-12. */
export function olderDialect(uri: unknown): Dialect | undefined {
  if (typeof uri !== 'string') return undefined;
  if (D2019.test(uri)) return { ignoresSiblings: false };
  return OLDER.test(uri) ? { ignoresSiblings: true } : undefined;
}
