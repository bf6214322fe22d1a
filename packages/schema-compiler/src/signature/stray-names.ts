import { nearestNames } from '@toolwright/json';
import type { FoundDecorator } from '../discover/package-symbols.js';
import { ts } from '../generator/tjs-adapter.js';

/** Decorators of a method that name one of its parameters. The name of one that is misspelt would be lost without a word. */
const NAMING = new Set(['Arg', 'Sensitive']);

/** A name in a decorator that no parameter has. */
export interface StrayName {
  readonly detail: string;
  readonly node: ts.Node;
}

/** @param names those of the parameters, as the method declares them */
export function strayNames(decorators: readonly FoundDecorator[], names: readonly string[]): StrayName[] {
  return decorators.flatMap(({ name, arguments: [given], node }) => {
    if (!NAMING.has(name) || !given || !ts.isStringLiteralLike(given) || names.includes(given.text))
      return [];
    const [near] = nearestNames(given.text, names);
    const hint = near === undefined ? `It has ${names.join(', ') || 'none'}.` : `Did you mean '${near}'?`;
    return [{ detail: `@${name}('${given.text}') names no parameter of the method. ${hint}`, node }];
  });
}
