/** How a draft of JSON Schema differs from 2020-12, as far as it matters here. */
export interface Dialect {
  /** What stands beside a `$ref` is ignored, except for what only describes. */
  readonly ignoresSiblings: boolean;
}

const LATEST = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;
const D2019 = /^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/;
const OLDER = /^https?:\/\/json-schema\.org\/draft-0[467]\/schema#?$/;

/** True for 2020-12, which the specification wants. */
export const isLatestDialect = (uri: string) => LATEST.test(uri);

/** The draft that a `$schema` names, where it is one that can be rewritten in 2020-12. */
export function olderDialect(uri: unknown): Dialect | undefined {
  if (typeof uri !== 'string') return undefined;
  if (D2019.test(uri)) return { ignoresSiblings: false };
  return OLDER.test(uri) ? { ignoresSiblings: true } : undefined;
}
