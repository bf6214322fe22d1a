import { partsOf } from '@toolwright/manifest';
import { findPatternFault } from '../patterns/find-pattern-fault.js';
import { oncePerSchema } from './once-per-schema.js';
import { visitKeywords } from './visit-keywords.js';

/** What to write instead of a pattern that can take too long. */
export const PATTERN_FIX =
  'Write it so that each repeated part begins with a character of its own, such as ^[a-z]+(-[a-z]+)*$.';

/** The patterns of a schema that are too slow or unsafe to match, each with the reason. */
export const findPatternFaults = oncePerSchema((schema): readonly string[] => [
  ...new Set(partsOf(schema).flatMap(faultsOfPart)),
]);

/** Checks a definition only once, however many tools share it. */
const faultsOfPart = oncePerSchema((schema): readonly string[] => {
  const patterns = new Set<string>();
  visitKeywords(schema, (keyword, value) => {
    if (keyword === 'pattern' && typeof value === 'string') patterns.add(value);
    if (keyword === 'patternProperties' && typeof value === 'object' && value !== null)
      Object.keys(value).forEach((name) => patterns.add(name));
  });
  return [...patterns].flatMap((pattern) => {
    const fault = findPatternFault(pattern);
    return fault ? [`the pattern ${JSON.stringify(pattern.slice(0, 200))} ${fault}`] : [];
  });
});

/** A regular expression from a decorator. It may have any flags, unlike those of JSON Schema. */
export interface FlaggedPattern {
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions that are too slow or unsafe to match, each with the reason. */
export function findFlaggedFaults(patterns: readonly FlaggedPattern[]): string[] {
  return patterns.flatMap(({ source, flags }) => {
    const fault = findPatternFault(source, flags);
    return fault ? [`the pattern /${source.slice(0, 200)}/${flags} ${fault}`] : [];
  });
}
