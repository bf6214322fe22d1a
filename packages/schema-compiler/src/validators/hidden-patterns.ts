import type { ts } from 'typescript-json-schema';
import type { Folded } from '../defaults/fold-constant.js';
import type { FoundDecorator } from '../discover/find-decorators.js';
import { publishedPattern } from '@toolwright/manifest';

/** A regular expression that class-validator matches with a text and that no schema contains. */
export interface HiddenPattern {
  source: string;
  flags: string;
  node: ts.Node;
}

/**
 * The regular expressions in the arguments of a decorator, at any depth. `@Matches` also accepts one as text.
 */
export function hiddenPatterns(
  { name, node }: FoundDecorator,
  values: readonly (Folded | undefined)[],
): HiddenPattern[] {
  const [first, second] = values.map((folded) => folded?.value);
  if (name === 'Matches') {
    const flags = typeof second === 'string' ? second : '';
    // The message shows the pattern as written, even if it is published in another form.
    const source = first instanceof RegExp ? first.source : first;
    const isShown = isPattern(first) && publishedPattern(first, flags) === source;
    if (isShown) return [];
    if (typeof first === 'string') return [{ source: first, flags, node }];
  }
  return values
    .flatMap((folded) => regExpsIn(folded?.value))
    .map(({ source, flags }) => ({ source, flags, node }));
}

function isPattern(value: unknown): value is RegExp | string {
  return typeof value === 'string' || value instanceof RegExp;
}

function regExpsIn(value: unknown): RegExp[] {
  if (value instanceof RegExp) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(regExpsIn) : [];
}
