import type { ts } from 'typescript-json-schema';
import type { Folded } from '../defaults/fold-constant.js';
import type { FoundDecorator } from '../discover/find-decorators.js';
import { publishedPattern } from '@toolwright/manifest';

/** A regular expression that class-validator matches a text against, and no schema shows. */
export interface HiddenPattern {
  source: string;
  flags: string;
  node: ts.Node;
}

/** The regular expressions among the arguments of a decorator, however deep; `@Matches` takes one as a text, too. */
export function hiddenPatterns(
  { name, node }: FoundDecorator,
  values: readonly (Folded | undefined)[],
): HiddenPattern[] {
  const [first, second] = values.map((folded) => folded?.value);
  if (name === 'Matches') {
    const flags = typeof second === 'string' ? second : '';
    // What is published in another form is told of as it is written.
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
